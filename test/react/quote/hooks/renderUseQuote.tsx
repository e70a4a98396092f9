import {
  focusManager,
  onlineManager,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { RampProvider } from '../../../../src/index.js';
import { type QuoteOptions, type QuoteSelection, useQuote } from '../../../../src/quotes.js';

const pair = { fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };
export const withAmount = (amount: string) => ({ ...pair, amount });
export const sampleSelection: QuoteSelection = withAmount('100');

/** The query of the quote request that `useQuote` sends for {@link sampleSelection}. */
export const sampleQuery = { ...pair, currencyAmount: '100' };

/** Advances the fake timers inside `act`, so that React renders the results. */
export const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let client: QueryClient;
export const getQueryClient = () => client;
export const setQueryClient = (other: QueryClient) => {
  client = other;
};
/** A page with a QueryClient, but without the settings of a backend. */
export const PageWithoutBackend = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
const Page = ({ children }: { children: ReactNode }) => (
  <PageWithoutBackend>
    <RampProvider api="/api/ramp">{children}</RampProvider>
  </PageWithoutBackend>
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
