import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const api = '/api/ramp';
let stored: Map<string, string>;
let storage: Pick<Storage, 'getItem' | 'setItem'>;

/** The module as a page that has just been loaded has it. */
const reload = () => {
  vi.resetModules();
  return import('../../../src/react/status/openedCheckouts.js');
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

describe('openedCheckouts', () => {
  it('survive a reload, the newest five, each once', async () => {
    const { addOpenedCheckout } = await reload();
    for (const n of [1, 2, 3, 4, 5, 6, 2]) addOpenedCheckout(api, `r${n}`);
    const { getOpenedCheckouts, removeOpenedCheckout } = await reload();
    expect(getOpenedCheckouts(api)).toEqual(['r2', 'r6', 'r5', 'r4', 'r3']);
    removeOpenedCheckout(api, 'r6');
    expect((await reload()).getOpenedCheckouts(api)).toEqual(['r2', 'r5', 'r4', 'r3']);
  });

  it('are kept apart by api, and none without one', async () => {
    const { addOpenedCheckout, getOpenedCheckouts } = await reload();
    addOpenedCheckout(api, 'r1');
    expect([getOpenedCheckouts('/other'), getOpenedCheckouts(undefined)]).toEqual([[], []]);
  });

  it('keep the same list until it changes', async () => {
    const { addOpenedCheckout, subscribeOpenedCheckouts, getOpenedCheckouts } = await reload();
    const listener = vi.fn();
    const end = subscribeOpenedCheckouts(listener);
    expect(getOpenedCheckouts(api)).toBe(getOpenedCheckouts(api));
    addOpenedCheckout(api, 'r1');
    end();
    addOpenedCheckout(api, 'r2');
    expect(listener).toHaveBeenCalledOnce();
  });

  it.each(['', '{', '{"a":1}', 'null', '[1,null]'])('are none where %j is stored', async (text) => {
    stored.set(`partner-ramp:${api}`, text);
    expect((await reload()).getOpenedCheckouts(api)).toEqual([]);
  });

  it('are kept in memory where the storage is blocked', async () => {
    storage.setItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', storage);
    const { addOpenedCheckout, getOpenedCheckouts } = await reload();
    addOpenedCheckout(api, 'r1');
    expect(getOpenedCheckouts(api)).toEqual(['r1']);
  });
});
