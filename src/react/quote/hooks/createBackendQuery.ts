import { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';
import { requestBackend } from '../../backend/requestBackend.js';
import { withTimeout } from '../../backend/withTimeout.js';

/**
 * Creates the options of `useQuery` for a route of the ramp handler. They set everything that the states of
 * our hooks depend on, because a page's QueryClient may have other defaults.
 */
export function createBackendQuery<A extends CacheInfo>(
  settings: BackendSettings,
  path: string,
  isResponse: (body: A) => unknown,
) {
  const { api, credentials } = settings;
  return {
    // Without the headers: a new token does not change the data, and must not be in a cache.
    queryKey: ['partner-ramp', api, path, credentials],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<A> => {
      if (api == null)
        throw new RampError(
          'ERR_CONFIG_INVALID',
          'api is missing: pass the path of your ramp handler to RampProvider or the component.',
        );
      const body = (await withTimeout(signal, (inTime) =>
        requestBackend(settings, path, { signal: inTime }, 'ERR_RESPONSE_INVALID'),
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
    // The backend retries itself. Only requests that did not reach it are retried here.
    retry: (failures: number, { code }: RampError) => failures < 1 && code === 'ERR_NETWORK',
    retryDelay: 1000,
    networkMode: 'online',
    refetchOnMount: true,
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
    refetchIntervalInBackground: false,
    throwOnError: false,
  } as const;
}

/**
 * Returns how long unused data is cached. On a server, forever: a timer would keep each render's client, and
 * the process, alive long after the page was sent.
 */
export const getCacheTimeMs = (ms: number): number =>
  typeof window === 'undefined' ? Number.POSITIVE_INFINITY : ms;
