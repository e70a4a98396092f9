import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect } from 'vitest';
import {
  type CheckoutResponse,
  CheckoutStatus,
  type CheckoutStatusProps,
  type OrderSummary,
  RampProvider,
} from '../../../src/index.js';
import '../../../src/styles.css';
import { createCheckoutResponse, pollNow, statusBackend } from './statusBackend.js';

export const hash = '0x9f2c41d7a05be8836f1d2c4b7a90e35516cd8f02b7e4a1935d60c8f7e2b41a3d';
export const order: OrderSummary = {
  state: 'finished',
  fiatCurrency: 'USD',
  currencyAmount: '100.00',
  cryptoCurrency: 'USDT',
  cryptoCurrencyAmount: '97.09000000',
  network: 'ethereum_mainnet',
  transactionHash: hash,
  transactionUrl: `https://explorer.example/tx/${hash}`,
  payTime: 1_790_000_000,
  deliverTime: 1_790_000_060,
  finishTime: 1_790_000_120,
};

export const checkoutStatusPage = (props: Partial<CheckoutStatusProps> = {}) => (
  <StrictMode>
    <RampProvider api="/api/ramp">
      <CheckoutStatus reference="r1" locale="en-GB" {...props} />
    </RampProvider>
  </StrictMode>
);
export const card = () => document.querySelector<HTMLElement>('.ramp-status') as HTMLElement;
export const expectState = (state: string) =>
  waitFor(() => expect(card().dataset.state).toBe(state));
/** Returns the live region. It must exist from the first render, so that screen readers announce its changes. */
export const liveRegion = () => card().querySelector('[role="status"]') as HTMLElement;
export const steps = () =>
  screen.getAllByRole('listitem').map((step) => step.textContent?.replace(/\s+/g, ' '));
export const rows = () =>
  [...card().querySelectorAll('dl > div')].map((row) =>
    [...row.children].map(({ textContent }) => textContent?.trim()),
  );

/** Renders the card, and responds to it with a first state. `sendState` makes it poll, and responds with another one. */
export async function renderStatus(
  given: Partial<CheckoutResponse>,
  props: Partial<CheckoutStatusProps> = {},
) {
  const { requests, nth } = statusBackend();
  const shown = render(checkoutStatusPage(props));
  (await nth(1)).respond(createCheckoutResponse(given));
  await waitFor(() => expect(card().dataset.state).not.toBe('loading'));
  const sendState = async (next: Partial<CheckoutResponse>) => {
    pollNow();
    const request = await nth(requests.length + 1);
    await act(async () => request.respond(createCheckoutResponse(next)));
  };
  return { ...shown, sendState, requests };
}
