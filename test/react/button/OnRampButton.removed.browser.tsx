import { act, render, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { OnRampButton } from '../../../src/index.js';
import { deferredSigner } from '../../support/browser/countingSigner.js';
import { button, widgetUrl } from '../../support/browser/onRampButtonPage.js';

// A page says this only once, so the test has a page of its own.
it('says in development that the click itself has removed the button, as in a menu', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { signer } = deferredSigner();
  function MenuItem() {
    const [isShown, setShown] = useState(true);
    return isShown && <OnRampButton {...{ widgetUrl, signer }} onClick={() => setShown(false)} />;
  }
  render(<MenuItem />);
  act(() => button().click());
  await waitFor(() =>
    expect(warn.mock.calls.flat().join()).toContain('removed from the page before its checkout'),
  );
});
