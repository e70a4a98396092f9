import { decodeUtf8, readBodyWithLimit } from '../../server/internal/requestBody.js';
import type { Runtime } from '../../server/internal/runtime.js';
import { withTimeLimit } from '../../server/internal/withTimeLimit.js';

/** What the checks use from the process. */
export interface Surroundings {
  readonly runtime: Runtime;
  /** Aborted when the command is stopped. */
  readonly signal: AbortSignal;
  /** The time limit for each request, connection and query. */
  readonly limitMs: number;
}

/** A response, or the reason why there is none. */
export type Result =
  | {
      readonly status: number;
      readonly headers: Headers;
      /** The parsed body, if it is JSON. */
      readonly json: unknown;
      readonly isHtml: boolean;
    }
  | { readonly failure: Failure };

interface Failure {
  /** The rest of a sentence that begins with the address's name. */
  readonly message: string;
  readonly cure: string;
}

const MAX_BODY_BYTES = 2_000_000;

/** Sends a request and reads its response, within the time limit. Does not follow redirects. */
export async function request(
  url: string,
  init: RequestInit,
  { runtime, signal, limitMs }: Surroundings,
): Promise<Result> {
  const onTimeout = (): Result => ({ failure: describeFailure('ERR_TIMEOUT', new URL(url)) });
  return withTimeLimit<Result>({ runtime, limitMs, onTimeout, signal }, async (either) => {
    try {
      const response = await runtime.fetch(url, { ...init, redirect: 'manual', signal: either });
      const { status, headers } = response;
      const bytes = await readBodyWithLimit(response.body, MAX_BODY_BYTES);
      const isHtml = /^text\/html/i.test(headers.get('content-type') ?? '');
      return { status, headers, json: parseJson(bytes), isHtml };
    } catch (error) {
      return { failure: describeFailure(findErrorCode(error), new URL(url)) };
    }
  });
}

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(decodeUtf8(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the `error` code in a response from the ramp handler, such as `ERR_NOT_FOUND`. */
export function findRampCode(result: Result): string | undefined {
  if ('failure' in result) return undefined;
  const { error } = Object(result.json) as { error?: { code?: unknown } };
  const code = error?.code;
  return typeof code === 'string' && /^ERR_[A-Z_]+$/.test(code) ? code : undefined;
}

/** Returns the code of a network error, such as `ECONNREFUSED`. An error from `fetch` carries the code in its cause. */
function findErrorCode(error: unknown): string {
  const { cause, code, name } = Object(error) as Record<string, unknown>;
  const inner = Object(cause) as { code?: unknown };
  return String(inner.code ?? code ?? name ?? 'unknown');
}

/** Describes why nothing was received from an address. */
export function describeFailure(code: string, { hostname, port, protocol }: URL): Failure {
  if (code === 'ERR_TIMEOUT')
    return {
      message: 'does not respond in time.',
      cure: 'Check that its server runs, and that no firewall drops the connection.',
    };
  const portNumber = port || (protocol === 'https:' ? '443' : '80');
  if (code === 'ECONNREFUSED')
    return {
      message: `cannot be reached: port ${portNumber} of ${hostname} is closed.`,
      cure: 'Start its server, or correct the port.',
    };
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code))
    return {
      message: `cannot be reached: the name ${hostname} has no address (${code}).`,
      cure: 'Correct the name, or create its DNS record.',
    };
  if (/CERT|SIGNATURE|ISSUER|SSL|TLS|EPROTO/.test(code))
    return { message: `has no valid TLS connection (${code}).`, cure: findTlsCure(code) };
  return {
    message: `cannot be reached (${code}).`,
    cure: 'Check the address, and the network of this machine.',
  };
}

function findTlsCure(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'Renew the certificate.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Use a certificate that is issued for this host name.';
  if (/SELF_SIGNED|ISSUER|LEAF/.test(code))
    return 'Use a certificate of a public authority, and let the server send its intermediate certificates.';
  return 'Check that the server speaks TLS on this port.';
}
