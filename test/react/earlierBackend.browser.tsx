import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  CheckoutHistory,
  CheckoutInProgress,
  CheckoutStatus,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampProvider,
} from '../../src/index.js';
import '../../src/styles.css';
import { earlierBackend } from '../support/browser/earlierBackend.js';
import {
  dialog,
  frameParams,
  waitForDialog,
  widgetUrl,
} from '../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof earlierBackend>;
const events: string[] = [];
const reference = 'reference-of-checkout-1';
beforeEach(() => {
  sessionStorage.clear();
  events.length = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  backend = earlierBackend();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp" onEvent={({ type }) => events.push(type)}>
        {children}
      </RampProvider>
    </QueryClientProvider>,
  );
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));
const close = () => dialog()?.close();
const card = () => document.querySelector<HTMLElement>('.ramp-status');
const proposals = () =>
  backend.sent.filter(({ route }) => route === 'POST /checkouts').map(({ body }) => body);

describe('a page with the backend of an earlier release', () => {
  it('opens the widget with the coin of the price card, and follows the order to its end', async () => {
    show(
      <>
        <QuotePreview
          walletChains={['ethereum']}
          defaultValue={{ amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' }}
        >
          <OnRampButton />
        </QuotePreview>
        <CheckoutStatus />
      </>,
    );
    await press(/^Buy [\d.]+\sUSDT$/);
    await waitForDialog();
    expect(frameParams()).toMatchObject({
      ext: reference,
      walletAddressLocked: '1',
      cryptoCurrency: 'USDT_ERC20',
      defaultCurrency: 'USDT_ERC20',
      cryptoNetwork: 'ethereum_mainnet',
    });
    close();
    await waitFor(() => expect(card()?.dataset.state).toBe('waiting'));
    backend.pay();
    await waitFor(() => expect(card()?.dataset.state).toBe('finished'));
    expect(events).not.toContain('failed');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('sends a refused proposal once more, without the selection', async () => {
    // On a busy machine, the pointer would rest on the button before the click, which requests a signature too.
    await userEvent.unhover(document.body);
    show(<OnRampButton defaultCurrency="ETH" amount="100" />);
    act(() => screen.getByRole('button', { name: 'Buy crypto' }).click());
    await waitForDialog();
    expect(proposals()).toEqual([
      { widget: 'on-ramp', params: {}, selection: { defaultCurrency: 'ETH', amount: '100' } },
      { widget: 'on-ramp', params: {} },
    ]);
    expect(events).not.toContain('failed');
  });

  it('sends a proposal with an empty selection again too', async () => {
    show(<NftCheckout merchantUniqueId="print">Buy the print</NftCheckout>);
    await press('Buy the print');
    await waitForDialog();
    const proposal = { widget: 'nft', params: { merchantUniqueId: 'print' } };
    expect(proposals()).toEqual([{ ...proposal, selection: {} }, proposal]);
    expect(frameParams()).toMatchObject({ ext: 'reference-of-checkout-2' });
  });

  it('continues a checkout with what the tab knows of the selection', async () => {
    show(
      <>
        <OnRampButton defaultCurrency="ETH" cryptoCurrency="ETH" amount="100" />
        <CheckoutStatus />
      </>,
    );
    await press('Buy crypto');
    await waitForDialog();
    close();
    await press('Continue checkout');
    await waitForDialog();
    expect(frameParams()).toMatchObject({ ext: reference, defaultCurrency: 'ETH', amount: '100' });
    expect(events).not.toContain('failed');
  });

  it('continues a checkout of another device, whose selection the backend does not know', async () => {
    show(<CheckoutStatus reference={reference} />);
    await press('Continue checkout');
    await waitForDialog();
    expect(frameParams()).toMatchObject({ ext: reference });
    expect(frameParams()).not.toHaveProperty('defaultCurrency');
    expect(events).not.toContain('failed');
  });

  it('lists the checkouts of the shopper, and the one that waits', async () => {
    show(
      <>
        <CheckoutInProgress />
        <CheckoutHistory />
      </>,
    );
    await screen.findByText('Delivered');
    // The note and the list have one each.
    await screen.findAllByRole('button', { name: /^Continue checkout/ });
    expect(backend.sent.map(({ status }) => status)).not.toContain(404);
  });

  it('polls without If-None-Match if the stream is refused', async () => {
    backend.hasStreams = false;
    show(<CheckoutStatus reference={reference} />);
    await waitFor(() => expect(card()?.dataset.state).toBe('waiting'));
    backend.pay();
    await waitFor(() => expect(card()?.dataset.state).toBe('finished'), { timeout: 10_000 });
    const polls = backend.sent.filter(({ route }) => route === `GET /checkouts/${reference}`);
    expect(polls.length).toBeGreaterThan(1);
    expect(polls.filter(({ headers }) => headers.has('If-None-Match'))).toEqual([]);
  });
});
