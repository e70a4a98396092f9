import type { Server } from 'node:http';

/**
 * Stops accepting connections and waits for the requests in flight. After `drainMs` it closes the
 * connections that remain.
 */
export function stopServer(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), drainMs);
    // Browsers keep idle connections open, which would delay the stop.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(late);
      clearInterval(idle);
      resolve();
    });
  });
}
