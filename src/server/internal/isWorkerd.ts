/**
 * Returns whether the code runs in workerd, the runtime of Cloudflare Workers. There, timers end together with the
 * request that started them, the handler does not learn that a client has disconnected, and a request must not settle a
 * promise of another request.
 */
export const isWorkerd = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers';
