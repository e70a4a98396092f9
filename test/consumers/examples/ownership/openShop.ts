import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sandbox } from '@partner-ramp/react/sandbox';
import type { OpenCheckout } from '@partner-ramp/react/server';
import type { Hex } from 'viem';
import { createExampleEnvironment } from '../../../support/packaging/startExample.js';
import type { LocalEvm } from './startEvm.js';

export const origin = 'https://shop.example';

export interface ExportedProof {
  readonly reference: string;
  readonly orderIds: readonly string[];
  readonly walletAddress: Hex;
  readonly message: string;
  readonly signature: Hex;
  readonly signer: 'key' | 'contract';
  /** Unix seconds. */
  readonly verifiedAt: number;
  readonly blockNumber?: string;
}

/** What `createShop` of examples/siwe returns. */
export interface Shop {
  readonly app: { request(path: string, init?: RequestInit): Promise<Response> };
  readonly ramp: { sync(): Promise<unknown> };
  exportProof(reference: string): Promise<ExportedProof | undefined>;
  eraseUser(subject: string): Promise<readonly OpenCheckout[]>;
}

/** The message and signature that a page sends. */
export interface Proof {
  readonly message?: unknown;
  readonly signature?: unknown;
}

/** Opens the shop of an installed copy of examples/siwe, in this process. */
export async function openShop(
  folder: string,
  {
    sandbox,
    evms = {},
    database = ':memory:',
    now = Date.now,
  }: {
    readonly sandbox: Sandbox;
    /** Nodes by chain ID. */
    readonly evms?: Readonly<Record<number, Pick<LocalEvm, 'url'>>>;
    readonly database?: string;
    readonly now?: () => number;
  },
): Promise<Shop> {
  const { createShop } = await import(pathToFileURL(join(folder, 'shop.js')).href);
  const nodes = Object.entries(evms).map(([id, { url }]) => [`RPC_URL_${id}`, url]);
  const env = {
    ...createExampleEnvironment(sandbox, origin),
    ...Object.fromEntries(nodes),
    DATABASE_FILE: database,
  };
  return createShop(env, { now });
}

/** A browser with a cookie of the shop. */
export class Visitor {
  cookie: string | undefined;
  readonly #shop: Shop;
  constructor(shop: Shop, cookie?: string) {
    this.#shop = shop;
    this.cookie = cookie;
  }

  async request(method: 'GET' | 'POST', path: string, body?: unknown, from = origin) {
    const response = await this.#shop.app.request(`${origin}${path}`, {
      method,
      headers: {
        origin: from,
        'content-type': 'application/json',
        ...(this.cookie && { cookie: this.cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    if (cookie) this.cookie = cookie;
    return { status: response.status, body: await response.json() };
  }

  async requestTerms(): Promise<{ nonce: string; issuedAt: Date; expirationTime: Date }> {
    const { body } = await this.request('POST', '/api/wallet/nonce');
    return {
      nonce: body.nonce,
      issuedAt: new Date(body.issuedAt),
      expirationTime: new Date(body.expirationTime),
    };
  }

  prove = (proof: Proof) => this.request('POST', '/api/wallet/proof', proof);

  /** Requests a checkout. `walletAddress` is the wallet that the page shows. */
  buy = (walletAddress?: string, coin = 'ETH') =>
    this.request('POST', '/api/ramp/checkouts', {
      widget: 'on-ramp',
      params: walletAddress ? { walletAddress } : {},
      selection: { cryptoCurrency: coin },
    });
}
