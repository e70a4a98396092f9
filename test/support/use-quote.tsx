import {
  focusManager,
  onlineManager,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { type QuoteOptions, type QuoteQuery, RampProvider, useQuote } from '../../src/index.js';

export const question: QuoteQuery = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
};
export const amount = (currencyAmount: string) => ({ ...question, currencyAmount });

/** So much time goes by. */
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let client: QueryClient;
export const takeClient = (other: QueryClient) => {
  client = other;
};
const Page = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>
    <RampProvider api="/api/ramp">{children}</RampProvider>
  </QueryClientProvider>
);
export const ask = (first: QuoteQuery | undefined, options: QuoteOptions = {}) =>
  renderHook(({ query }) => useQuote(query, options), {
    wrapper: Page,
    initialProps: { query: first },
  });

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
});
afterEach(() => {
  cleanup();
  client.clear();
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
  vi.useRealTimers();
});
