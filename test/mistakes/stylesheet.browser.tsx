import { cleanup, render } from '@testing-library/react';
import { afterEach, describe } from 'vitest';
import { OnRampButton } from '../../src/index.js';
import { captureConsole } from '../support/mistakes/captureConsole.js';
import { testMistake } from '../support/mistakes/testMistake.js';

// In a separate file, because the others import the stylesheet.
describe('the console of a page without the stylesheet', () => {
  afterEach(cleanup);
  testMistake(56, () =>
    captureConsole(() => render(<OnRampButton widgetUrl={`${location.origin}/widget`} />)),
  );
});
