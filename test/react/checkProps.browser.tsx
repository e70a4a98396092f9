import { render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { NftCheckout, RampProvider, useCheckout } from '../../src/index.js';
import { button, opened, show, widgetUrl } from '../support/on-ramp-button.js';

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

describe('the console of a development build', () => {
  it('says that a key in the page is a key for everybody', async () => {
    const said = warnings();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    show({ secretKey: 'never so' } as never);
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/secretKey .* keep it in your backend/);
    expect(said()[0]).not.toContain('never so');
  });

  it('says the same of one that is given to the provider', async () => {
    const said = warnings();
    render(
      <RampProvider {...({ widgetUrl, privateKey: 'never so' } as object)}>
        <NftCheckout type="MINT" mintQuantity={1} />
      </RampProvider>,
    );
    await waitFor(() => expect(said()[0]).toMatch(/privateKey .* keep it in your backend/));
  });

  it('asks for a signer, and not for NFT parameters that belong to the backend', async () => {
    const said = warnings();
    render(<NftCheckout widgetUrl={widgetUrl} type="MINT" mintQuantity={1} />);
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/must be signed: .* an api or a signer/);
    expect(said()[0]).not.toContain('contractAddress');
  });

  it('says that nothing can be followed without an api', async () => {
    const said = warnings();
    show({ onStatusChange: () => {} });
    await waitFor(() => expect(said()[0]).toMatch(/onStatusChange .* without an api/));
  });

  it('says why an inline checkout without a place is in a dialog', async () => {
    const said = warnings();
    render(<InlineWithoutPlace />);
    await userEvent.click(button());
    await opened();
    await waitFor(() => expect(said()).toEqual([expect.stringContaining('inlineRef')]));
  });

  it('shows what a signer threw', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const cause = new Error('my backend is down');
    show({ signer: () => Promise.reject(cause) });
    await userEvent.click(button());
    await screen.findByRole('alert');
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('ERR_SIGNER'), cause),
    );
  });
});
