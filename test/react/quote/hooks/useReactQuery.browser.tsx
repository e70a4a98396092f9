import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type QuotePreviewState,
  useCryptoCurrencies,
  useFiatCurrencies,
  useQuote,
} from '../../../../src/index.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { quoteBackend, respondToAll } from '../../../support/browser/quoteBackend.js';
import {
  expectState,
  hundred,
  renderPreview,
  root,
} from '../../../support/browser/quotePreviewPage.js';

/** Vitest's runner in the page. Vitest passes each `import()` of a module to its `wrapDynamicImport`. */
const { __vitest_browser_runner__: runner } = window as unknown as {
  readonly __vitest_browser_runner__: {
    wrapDynamicImport(load: () => Promise<unknown>): Promise<unknown>;
  };
};
const { wrapDynamicImport } = runner;

/**
 * Makes each `import()` of a file fail until `wrapDynamicImport` is restored. The next `import()` then succeeds,
 * although Chromium itself never repeats a failed import.
 */
function failImport(file: string) {
  const failed = vi.fn();
  runner.wrapDynamicImport = (load) => {
    if (!`${load}`.includes(file)) return wrapDynamicImport(load);
    failed();
    return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  };
  return failed;
}

const api = '/api/ramp';
const selection = { ...hundred, fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };
const renderHooks = () =>
  renderHook(() => [
    useQuote(selection, { api }),
    useFiatCurrencies({ api }),
    useCryptoCurrencies({ api }),
  ]).result;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runner.wrapDynamicImport = wrapDynamicImport;
});

// Once react-query has loaded, the page keeps it, so only the last test loads it.
describe('react-query that cannot be loaded', () => {
  it.each(['fetchQuery', 'tanstack_react-query'])(
    'is reported by the hooks, whose retry loads it again: %s',
    async (file) => {
      const failed = failImport(file);
      const hooks = renderHooks();
      await waitFor(() =>
        expect(hooks.current.map(({ status, error }) => [status, error?.code])).toEqual(
          Array(3).fill(['error', 'ERR_NETWORK']),
        ),
      );
      for (const index of [0, 1, 2]) {
        const before = failed.mock.calls.length;
        // A retry has no effect while an earlier import is pending.
        await waitFor(() => {
          act(() => hooks.current[index]?.retry());
          expect(failed.mock.calls.length).toBeGreaterThan(before);
        });
      }
    },
  );

  it('is reported although the browser says that it is offline, which is wrong behind some VPNs', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    failImport('fetchQuery');
    const hooks = renderHooks();
    await waitFor(() =>
      expect(hooks.current.map(({ status }) => status)).toEqual(Array(3).fill('error')),
    );
  });

  it('makes the card ask for a reload, without a button', async () => {
    failImport('tanstack_react-query');
    renderPreview({ defaultValue: hundred });
    await expectState('error');
    await screen.findByText('Reload the page to retry.', { selector: '.ramp-quote-note > span' });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(await findAxeViolations(root())).toEqual([]);
  });

  it('is loaded by retry of the card, which then shows the price', async () => {
    failImport('tanstack_react-query');
    quoteBackend(respondToAll);
    let retry: QuotePreviewState['retry'] | undefined;
    renderPreview({
      defaultValue: hundred,
      children(state) {
        retry = state.retry;
        return null;
      },
    });
    await expectState('error');
    // The card shows this text once its own JavaScript has loaded too.
    await screen.findByText('Reload the page to retry.', { selector: '.ramp-quote-note > span' });
    runner.wrapDynamicImport = wrapDynamicImport;
    // Retry until it works: a retry has no effect while the import of the first render is pending.
    await waitFor(() => {
      act(() => retry?.());
      expect(root().dataset.state).toBe('success');
    });
  });
});
