import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** An HTTP server on a free loopback port. */
export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

type SiteHandler = (request: Request) => Response | Promise<Response>;

/**
 * Starts a server that responds with a handler of Request and Response.
 *
 * @param createHandler - Creates the handler. Gets the origin of the site, which is known only after the start.
 */
export async function startSite(createHandler: (origin: string) => SiteHandler): Promise<Site> {
  let handle: SiteHandler = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({
    fetch: (request) => handle(request),
    overrideGlobalObjects: false,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  handle = createHandler(origin);
  return {
    origin,
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
