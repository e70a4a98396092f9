import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { DatabaseSync } from '@photostructure/sqlite';
import { createPublicClient, http, type LocalAccount, verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installExample } from '../../../support/packaging/installExample.js';
import { forgeries, type Scene, sign, withKey } from './forgeries.js';
import { openShop, origin, type Shop, Visitor } from './openShop.js';
import { type LocalEvm, startEvm } from './startEvm.js';

const createKey = () => privateKeyToAccount(generatePrivateKey());

let example: Awaited<ReturnType<typeof installExample>>;
let sandbox: Sandbox;
let ethereum: LocalEvm;
let polygon: LocalEvm;
/** Seconds that have passed in the shop. */
let passed = 0;
let shop: Shop;
let scene: Omit<Scene, 'visitor' | 'turn'>;
const now = () => Date.now() + passed * 1000;
const victim = createKey();
const thief = createKey();

const open = (database = ':memory:') =>
  openShop(example.folder, { sandbox, evms: { 1: ethereum, 137: polygon }, database, now });

beforeAll(async () => {
  example = await installExample('siwe');
  [sandbox, ethereum, polygon] = await Promise.all([startSandbox(), startEvm(1), startEvm(137)]);
  const [safe, planned, trap] = await Promise.all([
    ethereum.createWallet(victim),
    ethereum.createWallet(victim, 1n),
    ethereum.createWallet(thief, 2n),
  ]);
  await safe.deploy();
  const twin = await polygon.createWallet(victim);
  await twin.deploy();
  await twin.changeOwner(thief);
  expect(twin.address).toBe(safe.address);
  const wait = (seconds: number) => {
    passed += seconds;
  };
  scene = { shop: await open(), victim, thief, safe, twin, planned, trap, now, wait };
});
beforeEach(() => {
  shop = scene.shop;
});
afterAll(async () => {
  await Promise.all([sandbox?.close(), ethereum?.close(), polygon?.close()]);
  await example?.remove();
});

/** Signs in with a key, and returns the browser. */
async function signIn(account: LocalAccount, change?: Parameters<typeof sign>[2]) {
  const visitor = new Visitor(shop);
  const { status } = await visitor.prove(await sign(visitor, withKey(account), change));
  expect(status).toBe(200);
  return visitor;
}

describe('a forged proof', () => {
  it.each(Object.entries(forgeries))('%s is refused in words', async (_, { reason, forge }) => {
    const visitor = new Visitor(shop);
    const proof = await forge({ ...scene, shop, visitor, turn: 7 });
    const { status, body } = await visitor.prove(proof);
    expect({ status, reason: body.error?.reason }).toEqual({ status: 403, reason });
    expect(body.error.message).toMatch(/^[A-Z].*[Ss]ign/);
    const buying = await visitor.buy();
    expect(buying.status).toBe(401);
    expect(buying.body.error).toMatchObject({
      code: 'ERR_SIGNED_OUT',
      message: 'Sign in to buy.',
    });
  });

  it('of a page of another origin is refused before it is read', async () => {
    const visitor = new Visitor(shop);
    const proof = await sign(visitor, withKey(victim));
    const foreign = 'https://evil.example';
    const { status, body } = await visitor.request('POST', '/api/wallet/proof', proof, foreign);
    expect([status, body.error.reason]).toEqual([403, 'origin']);
    expect((await visitor.prove(proof)).status).toBe(200);
  });

  it('leaves the wallet of the session as it is', async () => {
    const visitor = await signIn(victim);
    const forged = await sign(visitor, { ...withKey(victim), address: thief.address });
    expect((await visitor.prove(forged)).status).toBe(403);
    const { body } = await visitor.request('GET', '/api/wallet');
    expect(body.address).toBe(victim.address);
  });
});

describe('a genuine proof', () => {
  it('of a key lets the session buy to this wallet on all EVM chains', async () => {
    const visitor = await signIn(victim);
    for (const coin of ['ETH', 'USDT_BEP20']) {
      const { status, body } = await visitor.buy(victim.address.toLowerCase(), coin);
      expect(status).toBe(201);
      expect(body.params).toMatchObject({
        walletAddress: victim.address,
        walletAddressLocked: '1',
      });
    }
    expect((await visitor.buy(undefined, 'BTC')).status).toBe(403);
  });

  it('needs no request to the chain if a key signed', async () => {
    const before = ethereum.requests();
    await signIn(victim);
    expect(ethereum.requests()).toBe(before);
  });

  it('is not one of the wallet to which the shopper has switched', async () => {
    const visitor = await signIn(victim);
    const { status, body } = await visitor.buy(thief.address);
    expect(status).toBe(403);
    expect(body.error.message).toBe(
      'You signed in with another wallet. Sign in with this one to buy.',
    );
  });

  it('ends when its message expires', async () => {
    const visitor = await signIn(victim);
    passed += 3599;
    expect((await visitor.buy()).status).toBe(201);
    passed += 1;
    expect((await visitor.buy()).status).toBe(401);
    expect((await visitor.request('GET', '/api/wallet')).body).toEqual({ address: null });
  });

  it('ends with the session', async () => {
    const visitor = await signIn(victim);
    const { cookie } = visitor;
    await visitor.request('POST', '/api/wallet/sign-out');
    expect((await new Visitor(shop, cookie).buy()).status).toBe(401);
  });

  it('moves the session to a new id, so that whoever knew the old one is not signed in', async () => {
    const visitor = new Visitor(shop);
    const proof = await sign(visitor, withKey(victim));
    const known = new Visitor(shop, visitor.cookie);
    await visitor.prove(proof);
    expect((await visitor.buy()).status).toBe(201);
    expect((await known.buy()).status).toBe(401);
  });

  it('never creates a session with the id of the client', async () => {
    const chosen = `__Host-wallet=${'a'.repeat(43)}`;
    const visitor = new Visitor(shop, chosen);
    await visitor.requestTerms();
    expect(visitor.cookie).not.toBe(chosen);
  });
});

describe('a contract wallet', () => {
  it('buys on its own chain only', async () => {
    const visitor = new Visitor(shop);
    const { status } = await visitor.prove(await sign(visitor, scene.safe));
    expect(status).toBe(200);
    const { body } = await visitor.buy(scene.safe.address, 'USDT_ERC20');
    expect(body.params.walletAddress).toBe(scene.safe.address);
    const other = await visitor.buy(scene.safe.address, 'USDT_BEP20');
    expect([other.status, other.body.error.message]).toEqual([
      403,
      'Add a BNB Smart Chain wallet to buy USDT.',
    ]);
  });

  it('with the same address on another chain is another user', async () => {
    const victims = new Visitor(shop);
    await victims.prove(await sign(victims, scene.safe));
    const { body } = await victims.buy(scene.safe.address);
    const thieves = new Visitor(shop);
    const byThief = {
      address: scene.twin.address,
      sign: (message: string) => scene.twin.sign(message, thief),
    };
    const proof = await sign(thieves, byThief, { chainId: 137 });
    expect((await thieves.prove(proof)).status).toBe(200);
    const path = `/api/ramp/checkouts/${body.reference}`;
    expect((await victims.request('GET', path)).status).toBe(200);
    expect((await thieves.request('GET', path)).status).toBe(404);
    expect((await thieves.buy(scene.safe.address, 'ETH')).status).toBe(403);
  });

  it('may sign before it is deployed (ERC-6492)', async () => {
    const { address, signUndeployed } = scene.planned;
    const visitor = new Visitor(shop);
    const proof = await sign(visitor, { address, sign: signUndeployed });
    expect((await visitor.prove(proof)).status).toBe(200);
    expect((await visitor.buy(address)).status).toBe(201);
  });

  it('may wrap its signature although it is deployed', async () => {
    const { address, signUndeployed } = scene.safe;
    const visitor = new Visitor(shop);
    const proof = await sign(visitor, { address, sign: signUndeployed });
    expect((await visitor.prove(proof)).status).toBe(200);
  });

  it('is not called forged while its chain does not respond', async () => {
    const evm = await startEvm(1);
    const wallet = await evm.createWallet(victim);
    await wallet.deploy();
    const cut = await openShop(example.folder, { sandbox, evms: { 1: evm }, now });
    await evm.close();
    const visitor = new Visitor(cut);
    const { status, body } = await visitor.prove(await sign(visitor, wallet));
    expect([status, body.error.reason]).toEqual([503, 'unavailable']);
  });
});

describe('an exported proof', () => {
  it('of a key is verified by viem alone, without the shop and a network', async () => {
    const visitor = await signIn(victim);
    const { reference, params } = (await visitor.buy()).body;
    const proof = await shop.exportProof(reference);
    if (!proof) throw new Error('There is no proof.');
    const { message, signature, walletAddress, signer } = JSON.parse(JSON.stringify(proof));
    expect([walletAddress, signer]).toEqual([params.walletAddress, 'key']);
    expect(await verifyMessage({ address: walletAddress, message, signature })).toBe(true);
    const fields = parseSiweMessage(message);
    expect(fields).toMatchObject({ address: walletAddress, domain: 'shop.example', uri: origin });
    expect(await verifyMessage({ address: thief.address, message, signature })).toBe(false);
  });

  it('of a contract wallet is verified by viem at its block, also after the owner has changed', async () => {
    const wallet = await ethereum.createWallet(victim, 3n);
    await wallet.deploy();
    const visitor = new Visitor(shop);
    await visitor.prove(await sign(visitor, wallet));
    const { reference } = (await visitor.buy(wallet.address)).body;
    await wallet.changeOwner(thief);
    const proof = await shop.exportProof(reference);
    if (!proof?.blockNumber) throw new Error('There is no proof.');
    const { message, signature, walletAddress: address } = proof;
    const client = createPublicClient({ chain: mainnet, transport: http(ethereum.url) });
    const time = new Date(proof.verifiedAt * 1000);
    const terms = { message, signature, address, domain: 'shop.example', time };
    const blockNumber = BigInt(proof.blockNumber);
    expect(await client.verifySiweMessage({ ...terms, blockNumber })).toBe(true);
    expect(await client.verifySiweMessage(terms)).toBe(false);
  });

  it('is undefined for an unknown checkout', async () => {
    expect(await shop.exportProof('unknown')).toBeUndefined();
  });
});

describe('eraseUser', () => {
  /** Returns all rows of a database as one text. */
  function readRows(file: string): string {
    const database = new DatabaseSync(file);
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    const rows = (tables as { name: string }[]).map(({ name }) =>
      database.prepare(`select * from "${name}"`).all(),
    );
    database.close();
    return JSON.stringify(rows).toLowerCase();
  }

  it('leaves no row with the proof, the address or the session of the person', async () => {
    const file = join(example.folder, 'erasure.db');
    shop = await open(file);
    const visitor = await signIn(victim);
    const other = await signIn(thief);
    const { reference } = (await visitor.buy()).body;
    await other.buy();
    const proof = await shop.exportProof(reference);
    if (!proof) throw new Error('There is no proof.');
    const traces = [
      ...[victim.address, proof.signature, parseSiweMessage(proof.message).nonce],
      reference,
    ].map((trace) => `${trace}`.toLowerCase());
    const before = readRows(file);
    for (const trace of traces) expect(before).toContain(trace);

    expect(await shop.eraseUser(victim.address)).toEqual([]);
    const after = readRows(file);
    for (const trace of traces) expect(after).not.toContain(trace);
    expect(after).toContain(thief.address.toLowerCase());
    expect(await shop.exportProof(reference)).toBeUndefined();
    expect((await visitor.buy()).status).toBe(401);
    expect((await other.buy()).status).toBe(201);
  });
});
