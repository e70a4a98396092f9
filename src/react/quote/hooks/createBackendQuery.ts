import { RampError } from '../../../protocol/errors/RampError.js';
import type { CacheInfo } from '../../../protocol/handler/CheckoutResponse.js';
import type { BackendSettings } from '../../backend/BackendSettings.js';
import { requestBackend } from '../../backend/requestBackend.js';
import { withTimeout } from '../../backend/withTimeout.js';

/**
 * A question to the ramp handler as options of `useQuery`. All that a page's QueryClient may have
 * other defaults for is said here, as the states of our hooks rest on it.
 */
export function createBackendQuery<A extends CacheInfo>(
  settings: BackendSettings,
  path: string,
  isResponse: (body: A) => unknown,
) {
  const { api, credentials } = settings;
  return {
    // Not the headers: a token that changes asks nothing new, and has no business in a cache.
    queryKey: ['partner-ramp', api, path, credentials],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<A> => {
      if (api == null)
        throw new RampError(
          'ERR_CONFIG_INVALID',
          'api is missing: give RampProvider or the component the path of your ramp handler.',
        );
      const body = (await withTimeout(signal, (inTime) =>
        requestBackend(settings, path, { signal: inTime }, 'ERR_RESPONSE_INVALID'),
      )) as A;
      try {
        const { ageSeconds, stale } = body;
        // A backend that keeps nothing may well leave these out.
        if (isResponse(body))
          return { ...body, ageSeconds: Number(ageSeconds) || 0, stale: stale === true };
      } catch {
        // A part that it looks into is missing: no answer either.
      }
      throw new RampError(
        'ERR_RESPONSE_INVALID',
        `${api}${path} answered something else than its route.`,
      );
    },
    // The backend tries again itself; only what did not reach it is worth a second go.
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
 * How long an answer is kept that nobody shows. On a server it goes with its client: a timer would
 * hold that of each render, and the process, long after the page is sent.
 */
export const getCacheTimeMs = (ms: number): number =>
  typeof window === 'undefined' ? Number.POSITIVE_INFINITY : ms;
