import { request } from 'node:http';
import { parse } from 'lossless-json';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { signRsaSha256 } from '../../../src/server/index.js';

export type Headers = Readonly<Record<string, string>>;

/** What `call` sends in place of the signed parts of a request. */
export interface RequestChanges {
  readonly method?: string;
  readonly path?: string;
  /** Alternately the name and the value of each header, so that a name can occur twice. */
  readonly headers?: readonly string[];
}

export interface ApiResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  /** The parsed body, with numbers as strings. */
  readonly json: { code: string; msg: string; data: unknown };
}

/** Creates a client of the sandbox's partner API that signs requests as a partner does. */
export function createApiClient(sandbox: Sandbox, now: () => number) {
  const { host, hostname, port } = new URL(sandbox.baseUrl);
  /** The bodies of all responses, in which tests search for secrets. */
  const responseTexts: string[] = [];

  const commonHeaders = (): Headers => ({
    'Content-Type': 'application/json',
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': String(Math.floor(now() / 1000)),
    'X-Fp-Nonce': '482915',
    'X-Fp-Partner-Id': sandbox.partnerId,
  });

  /** Applies `change` to the headers of a request, then signs them. Returns all headers with the signature. */
  function signed(path: string, change: Headers = {}, method = 'GET'): Headers {
    const headers = { ...commonHeaders(), ...change };
    const payload = buildRequestPayload({ method, url: sandbox.baseUrl + path, headers });
    return { ...headers, 'X-Fp-Signature': signRsaSha256(payload, sandbox.apiPrivateKey) };
  }

  async function send(
    path: string,
    { method = 'GET', headers = [] }: RequestChanges = {},
  ): Promise<ApiResponse> {
    const own = headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    const response = await new Promise<Omit<ApiResponse, 'json'>>((resolve, reject) => {
      const sent = request(
        { hostname, port, path, method, headers: [...(own ? [] : ['Host', host]), ...headers] },
        (message) => {
          let text = '';
          message.setEncoding('utf8');
          message.on('data', (chunk) => {
            text += chunk;
          });
          message.on('end', () =>
            resolve({
              status: message.statusCode ?? 0,
              type: message.headers['content-type'],
              text,
            }),
          );
        },
      );
      sent.once('error', reject);
      sent.end();
    });
    responseTexts.push(response.text);
    const json = parse(
      response.text || 'null',
      undefined,
      (number) => number,
    ) as ApiResponse['json'];
    return { ...response, json };
  }

  /** Signs a request for `path`, then sends it with the changes in `sent`. */
  const call = (path: string, sent: RequestChanges = {}) =>
    send(sent.path ?? path, { headers: Object.entries(signed(path)).flat(), ...sent });

  /** Sends a signed GET request for an operation, for example `order`. */
  const get = (operation: string, params: Readonly<Record<string, string>> = {}) =>
    call(apiPath(operation, params));

  return { responseTexts, signed, send, call, get };
}

export function apiPath(operation: string, params: Readonly<Record<string, string>> = {}): string {
  const query = String(new URLSearchParams(params));
  return `/open/api/onramp/${operation}${query && `?${query}`}`;
}
