/**
 * The time between two heartbeats of an event stream, in milliseconds. The handler sends them, and a page
 * treats a stream that misses two as lost.
 */
export const HEARTBEAT_MS = 15_000;
