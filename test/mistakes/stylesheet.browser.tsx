import { cleanup, render } from '@testing-library/react';
import { afterEach, describe } from 'vitest';
import { OnRampButton } from '../../src/index.js';
import { captureConsole } from './captureConsole.js';
import { testMistake } from './testMistake.js';

// This test has its own file, because the other test files import the stylesheet.
describe('the console of a page without the stylesheet', () => {
  afterEach(cleanup);
  testMistake(56, () =>
    captureConsole(() => render(<OnRampButton widgetUrl={`${location.origin}/widget`} />)),
  );
});
