import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** A real server on a free port of loopback. */
export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

type SiteHandler = (request: Request) => Response | Promise<Response>;

/**
 * Serves what a function from `Request` to `Response` answers.
 *
 * @param makeAnswer - Is told where the site is.
 */
export async function startSite(makeAnswer: (origin: string) => SiteHandler): Promise<Site> {
  let answer: SiteHandler = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request) => answer(request) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = makeAnswer(origin);
  return {
    origin,
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
