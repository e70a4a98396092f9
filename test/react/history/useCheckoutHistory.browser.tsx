import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CheckoutHistoryOptions, useCheckoutHistory } from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import { createListed, failure, historyBackend } from '../../support/browser/historyBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const renderHistory = (options: CheckoutHistoryOptions = {}) =>
  renderHook((props: CheckoutHistoryOptions) => useCheckoutHistory(props), {
    initialProps: { api: '/api/ramp', ...options },
  }).result;
const quiet = () => vi.spyOn(console, 'warn').mockReturnValue();

describe('useCheckoutHistory', () => {
  it('is loading, and then has the checkouts', async () => {
    const backend = historyBackend(createListed('r1'));
    const result = renderHistory();
    expect(result.current).toMatchObject({ status: 'loading', data: undefined, hasMore: false });
    await waitFor(() => expect(result.current.status).toBe('success'));
    expect(result.current.data).toEqual([createListed('r1')]);
    expect(backend.requests).toEqual(['/checkouts?limit=20']);
  });

  it('requests at most 50 at once', async () => {
    const backend = historyBackend(createListed('r1'));
    const result = renderHistory({ pageSize: 500 });
    await waitFor(() => expect(result.current.data).toHaveLength(1));
    expect(backend.requests).toEqual(['/checkouts?limit=50']);
  });

  it('refreshes the list, but not while the page is hidden', async () => {
    accelerateTime();
    const backend = historyBackend(createListed('r1'));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const result = renderHistory();
    await new Promise((done) => setTimeout(done, 30_000));
    expect(backend.requests).toEqual([]);
    hidden.mockReturnValue(false);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(result.current.data).toHaveLength(1));
    backend.checkouts = [createListed('r2'), ...backend.checkouts];
    await waitFor(() => expect(result.current.data).toHaveLength(2));
  });

  it('repeats a failed request with backoff', async () => {
    accelerateTime();
    quiet();
    const backend = historyBackend(createListed('r1'));
    backend.respond = failure(503, 'ERR_TIMEOUT');
    const result = renderHistory();
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_TIMEOUT'));
    await waitFor(() => expect(backend.requests.length).toBeGreaterThan(2));
    backend.respond = undefined;
    await waitFor(() => expect(result.current.status).toBe('success'));
    expect(result.current.error).toBeUndefined();
  });

  it.each([
    ['a backend that cannot tell users apart', failure(404, 'ERR_REQUEST'), 'ERR_REQUEST'],
    ['another server', async () => new Response('<html>'), 'ERR_RESPONSE_INVALID'],
    ['a list without checkouts', async () => Response.json({}), 'ERR_RESPONSE_INVALID'],
    [
      'a checkout without a time',
      async () =>
        Response.json({ checkouts: [{ reference: 'r', progress: 'waiting', orders: [] }] }),
      'ERR_RESPONSE_INVALID',
    ],
  ])('reports %s', async (_, respond, code) => {
    quiet();
    historyBackend().respond = respond;
    const result = renderHistory();
    await waitFor(() => expect(result.current.status).toBe('error'));
    expect([result.current.error?.code, result.current.data]).toEqual([code, undefined]);
  });

  it('reports a missing api', async () => {
    quiet();
    const result = renderHistory({ api: undefined });
    await waitFor(() => expect(result.current.error?.code).toBe('ERR_CONFIG_INVALID'));
  });

  it('starts again if the checkout of the cursor is gone', async () => {
    const backend = historyBackend(createListed('r1'), createListed('r2'));
    const result = renderHistory({ pageSize: 1 });
    await waitFor(() => expect(result.current.hasMore).toBe(true));
    backend.respond = async () => {
      backend.respond = undefined;
      backend.checkouts = [createListed('r3')];
      return failure(400, 'ERR_REQUEST')();
    };
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.data?.map((one) => one.reference)).toEqual(['r3']));
    expect([result.current.hasMore, result.current.isLoadingMore]).toEqual([false, false]);
  });

  it('keeps the list and its status when older checkouts cannot be loaded, and logs each error once', async () => {
    const warn = quiet();
    const backend = historyBackend(createListed('r1'), createListed('r2'));
    const result = renderHistory({ pageSize: 1 });
    await waitFor(() => expect(result.current.hasMore).toBe(true));
    backend.respond = failure(503, 'ERR_TIMEOUT');
    const failToLoadMore = async () => {
      act(() => result.current.loadMore());
      expect(result.current.isLoadingMore).toBe(true);
      await waitFor(() => expect(result.current.isLoadingMore).toBe(false));
      expect(result.current).toMatchObject({
        status: 'success',
        error: undefined,
        hasMore: true,
        loadMoreError: { code: 'ERR_TIMEOUT' },
      });
      expect(result.current.data).toHaveLength(1);
    };
    await failToLoadMore();
    await waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(warn.mock.lastCall?.[0]).toMatch(/^\[partner-ramp\] ERR_TIMEOUT: no /);
    await failToLoadMore();
    backend.respond = undefined;
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.data).toHaveLength(2));
    expect(result.current.loadMoreError).toBeUndefined();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('does not take an error of the headers function for a checkout that is gone', async () => {
    quiet();
    historyBackend(createListed('r1'), createListed('r2'));
    const cause = Object.assign(new Error('no token'), { status: 400 });
    let isExpired = false;
    const headers = () => {
      if (isExpired) throw cause;
      return {};
    };
    const result = renderHistory({ pageSize: 1, headers });
    await waitFor(() => expect(result.current.hasMore).toBe(true));
    isExpired = true;
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.loadMoreError?.code).toBe('ERR_NETWORK'));
    expect([result.current.loadMoreError?.cause, result.current.data?.length]).toEqual([cause, 1]);
  });

  it('has no error of loadMore once a refresh shows that there are no older checkouts', async () => {
    quiet();
    const backend = historyBackend(createListed('r1'), createListed('r2'));
    const result = renderHistory({ pageSize: 1 });
    await waitFor(() => expect(result.current.hasMore).toBe(true));
    backend.respond = failure(503, 'ERR_TIMEOUT');
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.loadMoreError).toBeDefined());
    backend.respond = undefined;
    backend.checkouts = [createListed('r1')];
    act(() => result.current.retry());
    await waitFor(() => expect(result.current.hasMore).toBe(false));
    expect(result.current.loadMoreError).toBeUndefined();
  });

  it('drops the list of another backend at once', async () => {
    historyBackend(createListed('r1'));
    const { result, rerender } = renderHook(
      (options: CheckoutHistoryOptions) => useCheckoutHistory(options),
      { initialProps: { api: '/api/ramp' } as CheckoutHistoryOptions },
    );
    await waitFor(() => expect(result.current.data).toHaveLength(1));
    rerender({ api: '/other' });
    expect(result.current.data).toBeUndefined();
    await waitFor(() => expect(result.current.data).toHaveLength(1));
  });

  it('sends no request after unmount', async () => {
    accelerateTime();
    const backend = historyBackend(createListed('r1'));
    const { result, unmount } = renderHook(() => useCheckoutHistory({ api: '/api/ramp' }));
    await waitFor(() => expect(result.current.status).toBe('success'));
    unmount();
    const sent = backend.requests.length;
    await new Promise((done) => setTimeout(done, 30_000));
    expect(backend.requests).toHaveLength(sent);
  });
});
