import {
  focusManager,
  onlineManager,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import {
  type QuoteOptions,
  type QuoteQuery,
  RampProvider,
  useFiatCurrencies,
  useQuote,
} from '../../../src/index.js';

export const sampleQuery: QuoteQuery = {
  fiatCurrency: 'USD',
  currencyAmount: '100',
  cryptoCurrencyCode: 'USDT_ERC20',
};
export const withAmount = (currencyAmount: string) => ({ ...sampleQuery, currencyAmount });

/** Advances the fake timers. */
export const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let client: QueryClient;
export const setQueryClient = (other: QueryClient) => {
  client = other;
};
const Page = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>
    <RampProvider api="/api/ramp">{children}</RampProvider>
  </QueryClientProvider>
);
export const renderUseQuote = (first: QuoteQuery | undefined, options: QuoteOptions = {}) =>
  renderHook(({ query }) => useQuote(query, options), {
    wrapper: Page,
    initialProps: { query: first },
  });

// With fake timers a test cannot wait until the hooks have loaded react-query.
beforeAll(async () => {
  const { result } = renderHook(() => useFiatCurrencies());
  // Without an api the first query fails.
  await waitFor(() => expect(result.current.status).toBe('error'));
  cleanup();
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
