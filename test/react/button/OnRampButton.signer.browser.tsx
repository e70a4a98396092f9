import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, RampProvider } from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  dialog,
  frameParams,
  renderButton,
  signerMs,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

describe('<OnRampButton /> with a signer', () => {
  it('proposes only signed parameters and merges the others, which replace none of them', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({
      signer,
      walletAddress: '0xCLIENT',
      walletAddressLocked: true,
      amount: '100',
      email: 'a@b.example',
      extraParams: { theme: 'dark' },
    });
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals).toEqual([
      {
        widget: 'on-ramp',
        params: { walletAddress: '0xCLIENT', walletAddressLocked: '1' },
        selection: { amount: '100' },
      },
    ]);
    expect(frameParams()).toMatchObject({
      walletAddress: '0xSERVER',
      amount: '100',
      theme: 'dark',
    });
    expect(frameParams().signature).toMatch(/^sig\+\d+=$/);
  });

  it('calls the signer once for many renders, hovers, focuses and clicks', async () => {
    const { signer, proposals } = countingSigner(signerMs);
    // Each render passes a new signer function, as is common in pages.
    const view = () => (
      <StrictMode>
        <RampProvider widgetUrl={widgetUrl} signer={(...args) => signer(...args)}>
          <OnRampButton amount="100" />
        </RampProvider>
      </StrictMode>
    );
    const { rerender } = render(view());
    await userEvent.hover(button());
    for (let i = 0; i < 10; i++) rerender(view());
    await userEvent.dblClick(button());
    await waitForDialog();
    for (let i = 0; i < 10; i++) rerender(view());
    expect(proposals).toHaveLength(1);
    expect(document.querySelectorAll('dialog')).toHaveLength(1);
  });

  it('paints the dialog before it creates the frame, and navigates in the next frame, when the signature is cached', async () => {
    const { signer, proposals } = countingSigner();
    const frames: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { unmount } = renderButton({ signer });
      await userEvent.hover(button());
      await waitFor(() => expect(proposals).toHaveLength(round + 1));
      await new Promise((done) => setTimeout(done, 50));
      button().click();
      let count = 0;
      let isFirst = false;
      while (!document.querySelector('iframe')?.src && count < 60) {
        await new Promise(requestAnimationFrame);
        count++;
        isFirst ||= dialog()?.open === true && document.querySelector('iframe') === null;
      }
      expect(isFirst).toBe(true);
      frames.push(count);
      unmount();
      await userEvent.unhover(document.body);
    }
    expect(frames.sort((a, b) => a - b)[2]).toBeLessThanOrEqual(2);
  });

  it('preconnects to the widget on intent, once per page, and ignores an invalid URL', async () => {
    const links = () =>
      [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="preconnect"]')].map(
        ({ href }) => href,
      );
    const before = links();
    const first = 'http://localhost:9/pay';
    const last = 'http://localhost:8/';
    for (const url of [first, `${first}/`, 'nowhere', 'about:blank', 'data:,', last]) {
      const { signer, proposals } = countingSigner();
      const { unmount } = renderButton({ signer, widgetUrl: url });
      await userEvent.hover(button());
      await waitFor(() => expect(proposals).toHaveLength(1));
      unmount();
      await userEvent.unhover(document.body);
    }
    await waitFor(() => expect(links()).toContain(last));
    expect(links().slice(before.length)).toEqual(['http://localhost:9/', last]);
  });

  it('calls the signer again for each opening', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ signer });
    const signatures = new Set<string | undefined>();
    for (let i = 0; i < 3; i++) {
      await userEvent.click(button());
      await waitForDialog();
      signatures.add(frameParams().signature);
      await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
      await waitFor(() => expect(dialog()).toBeNull());
    }
    expect(signatures.size).toBe(3);
    expect(proposals).toHaveLength(3);
  });

  it('does not use an expired signature', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ signer, maxAgeSeconds: 0.1 });
    await userEvent.hover(button());
    await waitFor(() => expect(proposals).toHaveLength(1));
    await new Promise((done) => setTimeout(done, 200));
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals).toHaveLength(2);
  });

  it('calls the signer again when a signed prop has changed, but not for an unsigned one', async () => {
    const { signer, proposals } = countingSigner();
    const { rerender } = render(
      <OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" amount="1" />,
    );
    await userEvent.hover(button());
    await waitFor(() => expect(proposals).toHaveLength(1));
    rerender(<OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" amount="2" />);
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals).toHaveLength(1);
    expect(frameParams().amount).toBe('2');
    cleanup();
    const second = render(
      <OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" />,
    );
    await userEvent.hover(button());
    await waitFor(() => expect(proposals).toHaveLength(2));
    second.rerender(<OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xB" />);
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals.map(({ params }) => params.walletAddress)).toEqual(['0xA', '0xA', '0xB']);
  });
});
