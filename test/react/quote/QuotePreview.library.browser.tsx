import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QuotePreview, type QuotePreviewState } from '../../../src/index.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import {
  expectState,
  hundred,
  renderPreview,
  root,
} from '../../support/browser/quotePreviewPage.js';

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
function failImport(file: string, message = 'Failed to fetch dynamically imported module') {
  runner.wrapDynamicImport = (load) =>
    `${load}`.includes(file) ? Promise.reject(new TypeError(message)) : wrapDynamicImport(load);
}

const warn = vi.fn();
beforeEach(() => {
  warn.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  runner.wrapDynamicImport = wrapDynamicImport;
});

// Once the code of the card has loaded, the page keeps it. So only the last tests load it.
describe('<QuotePreview /> without react-query', () => {
  it('names the missing package in the console and in its state, but not to the shopper', async () => {
    failImport(
      'tanstack_react-query',
      "Failed to resolve module specifier '@tanstack/react-query'",
    );
    const seen: QuotePreviewState[] = [];
    renderPreview({
      defaultValue: hundred,
      children(state) {
        seen.push(state);
        return null;
      },
    });
    await expectState('error');
    expect((await screen.findByRole('alert')).textContent).toBe('The price could not be loaded.');
    expect(seen.at(-1)?.error?.message).toMatch(
      /which is not installed: npm install @tanstack\/react-query@5/,
    );
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(
        expect.stringMatching(/^\[partner-ramp\] ERR_CONFIG_INVALID: Prices need/),
        expect.any(TypeError),
      ),
    );
  });

  it.each(['tanstack_react-query', 'QuoteCard'])(
    'asks for a reload, without a button, when %s cannot be fetched',
    async (file) => {
      failImport(file);
      renderPreview({ defaultValue: hundred });
      await expectState('error');
      await screen.findByText('Reload the page to retry.');
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
      expect(await findAxeViolations(root())).toEqual([]);
    },
  );

  it('is loaded by retry of the card, although the browser says that it is offline, as some VPNs do', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
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
    runner.wrapDynamicImport = wrapDynamicImport;
    // Retry until it works: a retry has no effect while the import of the first render is pending.
    await waitFor(() => {
      act(() => retry?.());
      expect(root().dataset.state).toBe('success');
    });
  });
});

it('<QuotePreview /> mounts its children once, before and after its code has loaded', async () => {
  vi.resetModules();
  const { QuotePreview } = await import('../../../src/react/quote/QuotePreview.js');
  quoteBackend(respondToAll);
  const mounted = vi.fn();
  const Own = () => {
    useEffect(mounted, []);
    return <input aria-label="Voucher" />;
  };
  render(
    <QuotePreview api="/api/ramp" defaultValue={hundred}>
      <Own />
    </QuotePreview>,
  );
  const own = screen.getByLabelText('Voucher');
  await expectState('success');
  expect(screen.getByLabelText('Voucher')).toBe(own);
  expect(mounted).toHaveBeenCalledTimes(1);
});

it('<QuotePreview /> needs no QueryClientProvider: the cards of a page share a client', async () => {
  const { requests } = quoteBackend(respondToAll);
  const card = <QuotePreview api="/api/ramp" defaultValue={hundred} />;
  const { unmount } = render(card);
  await expectState('success');
  unmount();
  requests.length = 0;
  render(card);
  await expectState('success');
  expect(requests).toEqual([]);
});
