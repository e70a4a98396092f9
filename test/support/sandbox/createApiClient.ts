import { request } from 'node:http';
import { parse } from 'lossless-json';
import { buildRequestPayload } from '../../../src/protocol/index.js';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { signRsaSha256 } from '../../../src/server/index.js';

export type Headers = Readonly<Record<string, string>>;

/** What is sent otherwise than it was signed. */
export interface RequestChanges {
  readonly method?: string;
  readonly path?: string;
  /** Name and value in turn, so that a name may stand twice. */
  readonly headers?: readonly string[];
}

export interface ApiResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
  /** The body, its numbers as text. */
  readonly json: { code: string; msg: string; data: unknown };
}

/** Calls the partner API of a running sandbox, signing as a partner does. */
export function createApiClient(sandbox: Sandbox, now: () => number) {
  const { host, hostname, port } = new URL(sandbox.baseUrl);
  /** Every body that came back. */
  const answers: string[] = [];

  const commonHeaders = (): Headers => ({
    'Content-Type': 'application/json',
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': String(Math.floor(now() / 1000)),
    'X-Fp-Nonce': '482915',
    'X-Fp-Partner-Id': sandbox.partnerId,
  });

  /** The headers of a request with the signature that belongs to them. */
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
    const answer = await new Promise<Omit<ApiResponse, 'json'>>((resolve, reject) => {
      const sent = request(
        { hostname, port, path, method, headers: [...(own ? [] : ['Host', host]), ...headers] },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'],
              text,
            }),
          );
        },
      );
      sent.once('error', reject);
      sent.end();
    });
    answers.push(answer.text);
    const json = parse(answer.text || 'null', undefined, (number) => number) as ApiResponse['json'];
    return { ...answer, json };
  }

  /** Signs a request for `path` and sends it, as it is or changed. */
  const call = (path: string, sent: RequestChanges = {}) =>
    send(sent.path ?? path, { headers: Object.entries(signed(path)).flat(), ...sent });

  /** Calls one operation with its parameters. */
  const get = (operation: string, params: Readonly<Record<string, string>> = {}) =>
    call(apiPath(operation, params));

  return { answers, signed, send, call, get };
}

export function apiPath(operation: string, params: Readonly<Record<string, string>> = {}): string {
  const query = String(new URLSearchParams(params));
  return `/open/api/onramp/${operation}${query && `?${query}`}`;
}
