import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The sandbox, the Express example and its storefront, as `npm start` runs them, on free ports. */
export interface Demo {
  readonly shopUrl: string;
  readonly sandbox: import('../../src/sandbox/index.js').Sandbox;
  close(): Promise<void>;
}
