import type * as ReactQueryLibrary from '@tanstack/react-query';
import { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings, fetchBackend } from '../../backend/fetchBackend.js';
import { readReply, toRampError, withTimeout } from '../../backend/responses.js';

/** Longer than the three attempts of a backend. */
const TIMEOUT_MS = 15_000;

/** A route of the ramp handler. */
export interface BackendRoute<Data> {
  readonly path: string;
  readonly isResponse: (body: Data) => unknown;
}

/**
 * Creates the functions that are loaded together with react-query.
 *
 * @param request - Passed in instead of imported, as in {@link BackendConnection}.
 */
export function createQueryParts(request: typeof fetchBackend) {
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
      const body = await withTimeout(TIMEOUT_MS, 'The backend', signal, async (signal) =>
        readReply<A>(await request(settings, path, { signal }), 'ERR_RESPONSE_INVALID'),
      ).catch((cause) => {
        throw toRampError(cause, 'ERR_NETWORK', 'headers() failed; see the cause.');
      });
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
        ? createLibraryError('which is not installed', cause)
        : cause,
    /** Throws unless the library is version 5: version 4 has another context. */
    checkVersion(context: typeof ReactQueryLibrary.QueryClientContext): void {
      if (!context) throw createLibraryError('and another version is installed');
    },
  };
}

const createLibraryError = (reason: string, cause?: unknown) =>
  new RampError(
    'ERR_CONFIG_INVALID',
    `Prices need @tanstack/react-query 5, ${reason}: npm install @tanstack/react-query@5.`,
    { cause },
  );
