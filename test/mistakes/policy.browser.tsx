import { describe } from 'vitest';
import { userEvent } from 'vitest/browser';
import { button, show } from '../support/on-ramp-button.js';
import { itShows } from './itShows.js';
import { printed } from './printed.js';

describe('the console of a page whose Content-Security-Policy forbids frames', () => {
  // In a file of its own: a policy cannot be taken back.
  itShows(21, async () => {
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = "frame-src 'none'";
    document.head.append(policy);
    const text = await printed(async () => {
      show({});
      await userEvent.click(button());
    });
    return { text, values: { origin: location.origin } };
  });
});
