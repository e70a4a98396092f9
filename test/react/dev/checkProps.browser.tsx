import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { NftCheckout, OnRampButton, RampProvider, useCheckout } from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

const warnings = () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  return () => warn.mock.calls.map(([text]) => text as string);
};

function InlineWithoutPlace() {
  const { open } = useCheckout({ widget: 'on-ramp', display: 'inline', widgetUrl });
  return (
    <button type="button" onClick={() => open()}>
      Buy crypto
    </button>
  );
}

describe('checkProps', () => {
  it('warns about a secret key in the props', async () => {
    const printed = warnings();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderButton({ secretKey: 'never so' } as never);
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatch(/secretKey .* keep it in your backend/);
    expect(printed()[0]).not.toContain('never so');
  });

  it('warns about a private key in the props of the provider', async () => {
    const printed = warnings();
    render(
      <RampProvider {...({ widgetUrl, privateKey: 'never so' } as object)}>
        <NftCheckout type="MINT" mintQuantity={1} />
      </RampProvider>,
    );
    await waitFor(() => expect(printed()[0]).toMatch(/privateKey .* keep it in your backend/));
  });

  it('warns about a missing signer, but not about NFT parameters that the backend sets', async () => {
    const printed = warnings();
    render(<NftCheckout widgetUrl={widgetUrl} type="MINT" mintQuantity={1} />);
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatch(/must be signed: .* api or signer/);
    expect(printed()[0]).not.toContain('contractAddress');
  });

  it('warns about onStatusChange without an api', async () => {
    const printed = warnings();
    renderButton({ onStatusChange: () => {} });
    await waitFor(() => expect(printed()[0]).toMatch(/onStatusChange .* without an api/));
  });

  it('warns about an api that is undefined, on the button and on the provider', async () => {
    const printed = warnings();
    renderButton({ api: undefined });
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatch(/api is undefined .* opens unsigned/);
    cleanup();
    render(
      <RampProvider widgetUrl={`${widgetUrl}/other`} api={undefined}>
        <OnRampButton language="de" language-x="1" />
        <NftCheckout merchantUniqueId="1" />
      </RampProvider>,
    );
    await waitFor(() => expect(printed()).toHaveLength(2));
    expect(printed()[1]).toMatch(/api is undefined/);
  });

  it('does not warn about an absent api prop, as for a Basic Partner', async () => {
    const printed = warnings();
    renderButton({ 'aria-label': 'Top up', title: 'x', tabIndex: 0, autoFocus: true });
    await new Promise((done) => setTimeout(done, 50));
    expect(printed()).toEqual([]);
  });

  it('suggests the prop for a misspelt name', async () => {
    const printed = warnings();
    const { signer } = countingSigner();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderButton({ signer, walletadress: '0xF0', onOpend: () => {} } as never);
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatch(/Unknown prop walletadress: did you mean walletAddress\?/);
    expect(printed()[0]).toMatch(/Unknown prop onOpend: did you mean onOpen\?/);
  });

  it('warns about a locked wallet without an address', async () => {
    const printed = warnings();
    const { signer } = countingSigner();
    renderButton({ signer, walletAddress: undefined, walletAddressLocked: true });
    await waitFor(() => expect(printed()[0]).toMatch(/no effect without a walletAddress/));
  });

  it('warns about a promise as headers', async () => {
    const printed = warnings();
    renderButton({ headers: Promise.resolve({}) } as never);
    await waitFor(() => expect(printed()[0]).toMatch(/headers must be an object, or a function/));
  });

  it('warns about a fetch that is not a function', async () => {
    const printed = warnings();
    renderButton({ fetch: 'include' } as never);
    await waitFor(() => expect(printed()[0]).toMatch(/fetch must be a function/));
  });

  it('warns about an inline checkout without a container', async () => {
    const printed = warnings();
    render(<InlineWithoutPlace />);
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(printed()).toEqual([expect.stringContaining('inlineRef')]));
  });

  it('shows the cause when a signer throws', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const cause = new Error('my backend is down');
    renderButton({ signer: () => Promise.reject(cause) });
    await userEvent.click(button());
    await screen.findByRole('alert');
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('ERR_SIGNER'), cause),
    );
  });
});
