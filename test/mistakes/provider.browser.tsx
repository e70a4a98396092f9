import { render } from '@testing-library/react';
import { describe } from 'vitest';
import { CheckoutStatus, OnRampButton } from '../../src/index.js';
import '../support/browser/onRampButtonPage.js';
import { captureConsole } from '../support/mistakes/captureConsole.js';
import { testMistake } from '../support/mistakes/testMistake.js';

// In a separate file, because a problem with props is printed once in each page.
describe('the console of a page without a RampProvider', () => {
  testMistake(16, () => captureConsole(() => render(<OnRampButton />)));
  testMistake(43, () => captureConsole(() => render(<CheckoutStatus reference="r1" />)));
});
