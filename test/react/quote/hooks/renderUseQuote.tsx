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
  type QuoteSelection,
  RampProvider,
  useFiatCurrencies,
  useQuote,
} from '../../../../src/index.js';

const pair = { fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };
export const withAmount = (amount: string) => ({ ...pair, amount });
export const sampleSelection: QuoteSelection = withAmount('100');

/** The query of the quote request that `useQuote` sends for {@link sampleSelection}. */
export const sampleQuery = { ...pair, currencyAmount: '100' };

/** Advances the fake timers inside `act`, so that React renders the results. */
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
interface UseQuoteProps {
  readonly selection: QuoteSelection | undefined;
  readonly buyType?: QuoteOptions['buyType'];
}

export const renderUseQuote = (
  selection: QuoteSelection | undefined,
  options: QuoteOptions = {},
) => {
  const initialProps: UseQuoteProps = { selection, buyType: options.buyType };
  return renderHook(
    (props: UseQuoteProps) => useQuote(props.selection, { ...options, buyType: props.buyType }),
    { wrapper: Page, initialProps },
  );
};

// The hooks load react-query with a dynamic import. Load it before the tests, which use fake timers and could not wait.
beforeAll(async () => {
  const { result } = renderHook(() => useFiatCurrencies());
  // Without a provider the hook has no api, so its query fails as soon as react-query has loaded.
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
