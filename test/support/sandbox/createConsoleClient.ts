import { request } from 'node:http';
import type { Sandbox } from '../../../src/sandbox/index.js';

type Headers = Readonly<Record<string, string>>;

/** Calls a sandbox's console as its page does, or with other headers. */
export async function createConsoleClient(sandbox: Pick<Sandbox, 'consoleUrl'>) {
  const url = new URL(sandbox.consoleUrl ?? '');

  /** Sends a request with these headers. `fetch` would set the header Host itself. */
  const send = (method: string, path: string, headers: Headers = {}, body?: string) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
      (resolve, reject) => {
        const { hostname, port } = url;
        const sent = request({ hostname, port, path, method, headers }, (message) => {
          let text = '';
          message.setEncoding('utf8');
          message.on('data', (chunk) => {
            text += chunk;
          });
          message.on('end', () =>
            resolve({ status: message.statusCode ?? 0, headers: message.headers, text }),
          );
        });
        sent.once('error', reject);
        sent.end(body);
      },
    );
  const page = await send('GET', '/');
  const token = /name="console-token" content="([0-9a-f]+)"/.exec(page.text)?.[1] ?? '';
  const own = { 'x-console-token': token, origin: url.origin, 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Headers = {}) =>
    send('POST', `/api${path}`, { ...own, ...headers }, JSON.stringify(body));
  const get = async (path: string) => {
    const { status, text } = await send('GET', `/api${path}`, own);
    if (status !== 200) throw new Error(`Status ${status}: ${text}`);
    return JSON.parse(text);
  };
  return { send, post, get, token, own, page, origin: url.origin, host: url.host };
}
