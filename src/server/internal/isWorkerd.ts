/**
 * Returns whether the code runs in Cloudflare's workerd. It ends the timers of a request with the request,
 * reports no disconnected client to the handler, and must not settle a promise of another request.
 */
export const isWorkerd = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers';
