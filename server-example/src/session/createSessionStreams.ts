import type { ServerResponse } from 'node:http';
import type { EndedSessions } from './createShopSessions.js';

/** The open event streams, grouped by the session that opened them. */
export interface SessionStreams {
  /** Adds the response of an event stream, and removes it when the stream closes. */
  add(sessionId: string, res: ServerResponse): void;
  end(sessionId: string): void;
}

/** The interval at which open streams are checked for sessions that were signed out on another instance. */
const CHECK_MS = 15_000;

/** Creates a register of open streams. It closes streams whose sessions were signed out on other instances. */
export function createSessionStreams(
  ended: Pick<EndedSessions, 'findEnded'>,
  onError: (error: unknown) => void,
): SessionStreams {
  const open = new Map<string, Set<ServerResponse>>();
  let isPlanned = false;

  function scheduleCheck(): void {
    if (isPlanned || open.size === 0) return;
    isPlanned = true;
    setTimeout(check, CHECK_MS).unref();
  }

  async function check(): Promise<void> {
    try {
      if (open.size > 0) for (const id of await ended.findEnded([...open.keys()])) end(id);
    } catch (error) {
      onError(error);
    }
    isPlanned = false;
    scheduleCheck();
  }

  function end(sessionId: string): void {
    for (const res of open.get(sessionId) ?? []) res.destroy();
  }

  return {
    end,
    add(sessionId, res) {
      const own = open.get(sessionId) ?? new Set();
      open.set(sessionId, own.add(res));
      scheduleCheck();
      res.once('close', () => {
        own.delete(res);
        if (own.size === 0 && open.get(sessionId) === own) open.delete(sessionId);
      });
    },
  };
}
