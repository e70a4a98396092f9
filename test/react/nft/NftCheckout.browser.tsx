import { render, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { NftCheckout, type NftCheckoutProps } from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { frameParams, waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';

const show = (props: NftCheckoutProps) => render(<NftCheckout widgetUrl={widgetUrl} {...props} />);
const button = () => screen.getByRole('button', { name: 'Buy NFT' });

describe('<NftCheckout />', () => {
  it('proposes the parameters of a MARKET NFT', async () => {
    const { signer, proposals } = countingSigner();
    show({
      signer,
      type: 'MARKET',
      tokenId: '7',
      ownerWalletAddress: '0xA',
      contractAddress: '0xC',
      merchantUniqueId: 'print-7',
      fiatCurrency: ['USD', 'EUR'],
      defaultFiatCurrency: 'EUR',
    });
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals).toEqual([
      {
        widget: 'nft',
        params: {
          type: 'MARKET',
          tokenId: '7',
          ownerWalletAddress: '0xA',
          contractAddress: '0xC',
          merchantUniqueId: 'print-7',
        },
        selection: { fiatCurrency: 'USD,EUR', defaultFiatCurrency: 'EUR' },
      },
    ]);
    expect(frameParams()).toMatchObject({
      fiatCurrency: 'USD,EUR',
      defaultFiatCurrency: 'EUR',
      walletAddress: '0xSERVER',
      signature: expect.stringMatching(/^sig/),
    });
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('needs only the id of a listing, and sends a quantity as text', async () => {
    const { signer, proposals } = countingSigner();
    show({ signer, type: 'MINT', mintQuantity: 2, merchantUniqueId: 'print-7' });
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals[0]?.params).toEqual({
      type: 'MINT',
      mintQuantity: '2',
      merchantUniqueId: 'print-7',
    });
  });

  it('reports an error without a signer, and opens no widget', async () => {
    const onError = vi.fn();
    show({ merchantUniqueId: 'print-7', onError });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(onError.mock.lastCall?.[0]).toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining('NFT checkout must be signed'),
    });
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('passes on ref, class, style, data attributes and children', async () => {
    const ref = createRef<HTMLButtonElement>();
    const props = { 'data-listing': '7' };
    render(
      <NftCheckout ref={ref} className="mine" style={{ order: 1 }} {...props}>
        Mint two
      </NftCheckout>,
    );
    expect(ref.current).toBe(screen.getByRole('button', { name: 'Mint two' }));
    expect(ref.current?.className).toBe('ramp-button mine');
    expect(ref.current?.style.order).toBe('1');
    expect(ref.current?.dataset).toMatchObject({ listing: '7', state: 'idle' });
  });

  it('calls the signer once for ten renders and a double click', async () => {
    const { signer, proposals } = countingSigner(30);
    const { rerender } = show({ signer, merchantUniqueId: 'print-7' });
    for (let i = 0; i < 10; i++)
      rerender(<NftCheckout widgetUrl={widgetUrl} signer={signer} merchantUniqueId="print-7" />);
    await userEvent.dblClick(button());
    await waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
    expect(proposals).toHaveLength(1);
  });
});
