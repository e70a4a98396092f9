import type { IncomingMessage } from 'node:http';

/** An open stream of server-sent events. */
export interface EventStream {
  /** Resolves with the data of the next event `checkout`, or with undefined when the stream has ended. */
  next(): Promise<string | undefined>;
}

/** Reads the events of a response. They wait in the connection until they are requested. */
export function readEvents(body: IncomingMessage): EventStream {
  const events = parseEvents(body);
  return {
    next: async () => (await events.next().catch(() => undefined))?.value ?? undefined,
  };
}

async function* parseEvents(body: IncomingMessage): AsyncGenerator<string, void> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    // The last part may be an incomplete event.
    const parts = `${text}${chunk}`.split(/\r?\n\r?\n/);
    text = parts.pop() ?? '';
    for (const part of parts) {
      const read = (name: string) =>
        part
          .split(/\r?\n/)
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
      if (read('event').at(-1) === 'checkout') yield read('data').join('\n');
    }
  }
}
