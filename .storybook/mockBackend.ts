import { getResponse, HttpResponse, http, type RequestHandler } from 'msw';
import { type SetupWorker, setupWorker } from 'msw/browser';
import type { StoryContext } from 'storybook/internal/csf';
import { rampBackend } from '../demo/rampBackend.js';
import type { CheckoutResponse } from '../src/index.js';

/** The property `msw` of a story's context. */
interface StoryBackend {
  /** Overrides routes of the default backend until the story is left. */
  use(...handlers: readonly RequestHandler[]): void;
}

declare module 'storybook/internal/csf' {
  interface StoryContext {
    msw: StoryBackend;
  }
}

type Place = Pick<StoryContext, 'id' | 'viewMode'>;

/**
 * Returns the base path of a story's backend. On a documentation page, several stories are shown at once, so each has
 * its own path.
 */
export const getApi = ({ id, viewMode }: Place): string =>
  viewMode === 'docs' ? `/docs/${id}/api/ramp` : '/api/ramp';

/** The handlers of each story, by the base path of its backend. */
const overrides = new Map<string, readonly RequestHandler[]>();

const overriddenRoutes = http.all('*/api/ramp/*', ({ request }) => {
  const { pathname } = new URL(request.url);
  const base = pathname.slice(0, pathname.indexOf('/api/ramp/') + '/api/ramp'.length);
  // If no override responds, the default backend handles the request.
  return getResponse([...(overrides.get(base) ?? [])], request.clone());
});

const createWaiting = (reference: string): CheckoutResponse => ({
  reference,
  widget: 'on-ramp',
  progress: 'waiting',
  orders: [],
});

/** The checkout routes of the default backend. Every checkout waits for its payment. */
const checkoutRoutes = [
  http.get<{ reference: string }>('*/api/ramp/checkouts/:reference', ({ params }) =>
    HttpResponse.json(createWaiting(params.reference)),
  ),
  http.get<{ reference: string }>('*/api/ramp/checkouts/:reference/events', ({ params }) => {
    const event = `event: checkout\ndata: ${JSON.stringify(createWaiting(params.reference))}\n\n`;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(event)),
    });
    return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }),
];

let worker: Promise<SetupWorker> | undefined;

async function startWorker(): Promise<SetupWorker> {
  const worker = setupWorker(overriddenRoutes, ...checkoutRoutes, ...rampBackend());
  await worker.start({
    quiet: true,
    serviceWorker: { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` },
    onUnhandledRequest({ url }, print) {
      if (new URL(url).pathname.includes('/api/')) print.error();
    },
  });
  return worker;
}

/** Starts the default backend, and sets `msw` in the story's context. With `msw`, the story overrides routes. */
export async function loadBackend(context: StoryContext): Promise<void> {
  worker ??= startWorker();
  await worker;
  const base = getApi(context);
  overrides.delete(base);
  context.msw = {
    use(...handlers) {
      overrides.set(base, [...handlers, ...(overrides.get(base) ?? [])]);
    },
  };
}
