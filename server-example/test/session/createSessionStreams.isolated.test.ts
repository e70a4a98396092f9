import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionStreams } from '../../src/session/createSessionStreams.js';

const response = () => {
  const res = new EventEmitter() as ServerResponse;
  res.destroy = vi.fn(() => {
    res.emit('close');
    return res;
  });
  return res;
};

describe('createSessionStreams', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('closes streams within 15 seconds when their session ended on another instance', async () => {
    const ended = new Set<string>();
    const findEnded = vi.fn(
      async (ids: readonly string[]) => new Set(ids.filter((id) => ended.has(id))),
    );
    const streams = createSessionStreams({ findEnded }, () => {});
    const [one, two, other] = [response(), response(), response()] as const;
    streams.add('s1', one);
    streams.add('s1', two);
    streams.add('s2', other);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(one.destroy).not.toHaveBeenCalled();
    ended.add('s1');
    await vi.advanceTimersByTimeAsync(15_000);
    for (const res of [one, two]) expect(res.destroy).toHaveBeenCalledTimes(1);
    expect(other.destroy).not.toHaveBeenCalled();
    other.emit('close');
    findEnded.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findEnded).not.toHaveBeenCalled();
  });

  it('keeps checking after a failed query', async () => {
    const error = new Error('no connection');
    const findEnded = vi.fn(async () => new Set(['s1'])).mockRejectedValueOnce(error);
    const onError = vi.fn();
    const streams = createSessionStreams({ findEnded }, onError);
    const res = response();
    streams.add('s1', res);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(onError).toHaveBeenCalledWith(error);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(res.destroy).toHaveBeenCalledTimes(1);
  });
});
