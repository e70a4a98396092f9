export { findFreePort } from '../src/testing/findFreePort.mjs';

/** All servers listen on loopback only. */
export const host = '127.0.0.1';
