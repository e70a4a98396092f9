import type * as ReactQueryLibrary from '@tanstack/react-query';
import type { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';
import type { requestBackend } from '../../backend/requestBackend.js';

/** Longer than the three attempts of a backend. */
const TIMEOUT_MS = 15_000;

/** A route of the ramp handler. */
export interface BackendRoute<Data> {
  readonly path: string;
  readonly isResponse: (body: Data) => unknown;
}

/** Passed in instead of imported, as in {@link BackendConnection}. */
interface Dependencies {
  readonly request: typeof requestBackend;
  readonly RampError: typeof RampError;
}

/** Creates the functions that are loaded together with react-query. */
export function createQueryParts({ request, RampError }: Dependencies) {
  /** Runs `work`, and aborts it with `signal` or after 15 seconds. */
  async function withTimeout<T>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const stop = () => controller.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, TIMEOUT_MS);
    try {
      return await work(controller.signal);
    } catch (error) {
      if (isLate)
        throw new RampError(
          'ERR_TIMEOUT',
          `The backend did not respond in ${TIMEOUT_MS / 1000} s.`,
        );
      if (error instanceof RampError) throw error;
      if (typeof fetch === 'undefined')
        throw new RampError('ERR_CONFIG_INVALID', 'fetch is undefined in this environment.');
      throw new RampError('ERR_NETWORK', 'headers() failed; see the cause.', { cause: error });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    /**
     * Fetches a route of the ramp handler.
     *
     * @throws RampError, `ERR_NETWORK` also in place of any other error.
     */
    async fetchQuery<A extends CacheInfo>(
      settings: BackendSettings,
      { path, isResponse }: BackendRoute<A>,
      signal: AbortSignal,
    ): Promise<A> {
      const { api } = settings;
      if (api == null)
        throw new RampError(
          'ERR_CONFIG_INVALID',
          'api is missing: pass the path of your ramp handler to RampProvider or the component.',
        );
      const body = (await withTimeout(signal, (inTime) =>
        request(settings, path, { signal: inTime }, 'ERR_RESPONSE_INVALID'),
      )) as A;
      try {
        const { ageSeconds, stale } = body;
        // Backends without a cache may omit these fields.
        if (isResponse(body))
          return { ...body, ageSeconds: Number(ageSeconds) || 0, stale: stale === true };
      } catch {
        // A field that isResponse reads is missing: the response is invalid.
      }
      throw new RampError('ERR_RESPONSE_INVALID', `${api}${path} returned an unexpected response.`);
    },
    /**
     * Returns the error of a library that did not load. Node, bundlers and browsers name a package that they cannot
     * resolve; any other failure is one of the network.
     */
    toLibraryError: (cause: unknown): unknown =>
      /(?:resolve|find (?:module|package)).*@tanstack\/react-query/i.test(`${cause}`)
        ? createLibraryError(RampError, 'which is not installed', cause)
        : cause,
    /** Throws unless the library is version 5: version 4 has another context. */
    checkVersion(context: typeof ReactQueryLibrary.QueryClientContext): void {
      if (!context) throw createLibraryError(RampError, 'and another version is installed');
    },
  };
}

const createLibraryError = (Failure: typeof RampError, reason: string, cause?: unknown) =>
  new Failure(
    'ERR_CONFIG_INVALID',
    `Prices need @tanstack/react-query 5, ${reason}: npm install @tanstack/react-query@5.`,
    { cause },
  );
