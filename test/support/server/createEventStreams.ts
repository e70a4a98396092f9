import {
  memoryOrderStore,
  type OrderStore,
  type RampHandlerOptions,
} from '../../../src/server/index.js';
import { createTestHandler, origin } from './createTestHandler.js';
import { baseTime } from './orderFixtures.js';

const getSubject = ({ request }: { request: Request }) =>
  request.headers.get('x-user') ?? undefined;

interface Event {
  readonly id: string;
  readonly data: { readonly progress: string };
}

/** Creates a handler. `ask` requests an event stream, `open` also reads its events. */
export function createEventStreams(
  options: Partial<RampHandlerOptions<unknown>> & { store?: OrderStore } = {},
) {
  const store = options.store ?? memoryOrderStore();
  const handler = createTestHandler({ store, getSubject, now: () => baseTime * 1000, ...options });
  const ask = (reference = 'r1', init: RequestInit = {}) =>
    handler(
      new Request(`https://shop.example/api/ramp/checkouts/${reference}/events`, {
        ...init,
        headers: { origin, 'x-user': 'u1', ...init.headers },
      }),
    );
  const open = async (reference = 'r1', headers: Record<string, string> = {}) => {
    const response = await ask(reference, { headers });
    return { response, ...readEvents(response) };
  };
  return { store, ask, open };
}

/** Parses the server-sent events of a response. `next` waits for the next event. */
function readEvents(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Event> => {
    for (;;) {
      const at = text.indexOf('\n\n');
      if (at >= 0) {
        const lines = text.slice(0, at).split('\n');
        text = text.slice(at + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
        if (field('event') === 'checkout')
          return { id: field('id'), data: JSON.parse(field('data')) };
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream ended.');
      text += decoder.decode(value, { stream: true });
    }
  };
  const raw = async () => decoder.decode((await reader.read()).value);
  return { next, raw, close: () => reader.cancel() };
}
