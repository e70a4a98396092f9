import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const api = '/api/ramp';
let stored: Map<string, string>;
let storage: Pick<Storage, 'getItem' | 'setItem'>;

/** Imports the module again, as a reloaded page does. */
const reload = () => {
  vi.resetModules();
  return import('../../src/client/pageCheckouts.js');
};

beforeEach(() => {
  stored = new Map();
  storage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
  };
  vi.stubGlobal('sessionStorage', storage);
});
afterEach(() => void vi.unstubAllGlobals());

describe('pageCheckouts', () => {
  it('keeps the newest five across a reload, without duplicates', async () => {
    const { addOpenedCheckout } = await reload();
    for (const n of [1, 2, 3, 4, 5, 6, 2]) addOpenedCheckout(api, `r${n}`);
    const { getOpenedCheckouts, removeOpenedCheckout } = await reload();
    expect(getOpenedCheckouts(api)).toEqual(['r2', 'r6', 'r5', 'r4', 'r3']);
    removeOpenedCheckout(api, 'r6');
    expect((await reload()).getOpenedCheckouts(api)).toEqual(['r2', 'r5', 'r4', 'r3']);
  });

  it('separates lists by api, and returns none without one', async () => {
    const { addOpenedCheckout, getOpenedCheckouts } = await reload();
    addOpenedCheckout(api, 'r1');
    expect([getOpenedCheckouts('/other'), getOpenedCheckouts(undefined)]).toEqual([[], []]);
  });

  it('returns the same array until it changes', async () => {
    const { addOpenedCheckout, subscribePageCheckouts, getOpenedCheckouts } = await reload();
    const listener = vi.fn();
    const end = subscribePageCheckouts(listener);
    expect(getOpenedCheckouts(api)).toBe(getOpenedCheckouts(api));
    addOpenedCheckout(api, 'r1');
    end();
    addOpenedCheckout(api, 'r2');
    expect(listener).toHaveBeenCalledOnce();
  });

  it.each(['', '{', '{"a":1}', 'null', '[1,null]'])(
    'returns an empty list when %j is stored',
    async (text) => {
      stored.set(`partner-ramp:opened:${api}`, text);
      expect((await reload()).getOpenedCheckouts(api)).toEqual([]);
    },
  );

  it('falls back to memory when the storage is blocked', async () => {
    storage.setItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', storage);
    const { addOpenedCheckout, getOpenedCheckouts } = await reload();
    addOpenedCheckout(api, 'r1');
    expect(getOpenedCheckouts(api)).toEqual(['r1']);
  });
});
