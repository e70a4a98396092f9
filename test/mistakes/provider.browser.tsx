import { render } from '@testing-library/react';
import { describe } from 'vitest';
import { CheckoutStatus, OnRampButton } from '../../src/index.js';
import '../support/browser/onRampButtonPage.js';
import { captureConsole } from './captureConsole.js';
import { testMistake } from './testMistake.js';

// These tests have their own file, because each problem with props is printed only once per page.
describe('the console of a page without a RampProvider', () => {
  testMistake(16, () => captureConsole(() => render(<OnRampButton />)));
  testMistake(43, () => captureConsole(() => render(<CheckoutStatus reference="r1" />)));
});
