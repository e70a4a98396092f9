import { describe } from 'vitest';
import { userEvent } from 'vitest/browser';
import { button, renderButton } from '../support/browser/onRampButtonPage.js';
import { captureConsole } from './captureConsole.js';
import { testMistake } from './testMistake.js';

describe('the console of a page whose Content-Security-Policy forbids frames', () => {
  // This test has its own file, because a Content-Security-Policy cannot be removed from a page again.
  testMistake(21, async () => {
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = "frame-src 'none'";
    document.head.append(policy);
    const text = await captureConsole(async () => {
      renderButton({});
      await userEvent.click(button());
    });
    return { text, values: { origin: location.origin } };
  });
});
