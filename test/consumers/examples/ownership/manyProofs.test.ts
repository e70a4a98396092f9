import { type Sandbox, startSandbox } from '@partner-ramp/react/sandbox';
import { createPublicClient, http, verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installExample } from '../../../support/packaging/installExample.js';
import { forgeries, type Scene, sign, withKey } from './forgeries.js';
import { openShop, Visitor } from './openShop.js';
import { type ContractWallet, type LocalEvm, startEvm } from './startEvm.js';

const FORGED = 10_000;
const GENUINE = 1000;
/** Every tenth genuine proof is one of a contract wallet. */
const WALLETS = 5;

const createKey = () => privateKeyToAccount(generatePrivateKey());

let example: Awaited<ReturnType<typeof installExample>>;
let sandbox: Sandbox;
let ethereum: LocalEvm;
let polygon: LocalEvm;
let wallets: ContractWallet[];
let scene: Omit<Scene, 'visitor' | 'turn'>;

beforeAll(async () => {
  example = await installExample('siwe');
  [sandbox, ethereum, polygon] = await Promise.all([startSandbox(), startEvm(1), startEvm(137)]);
  let passed = 0;
  const now = () => Date.now() + passed * 1000;
  const wait = (seconds: number) => {
    passed += seconds;
  };
  const [victim, thief] = [createKey(), createKey()];
  const safe = await ethereum.createWallet(victim);
  const planned = await ethereum.createWallet(victim, 1n);
  const trap = await ethereum.createWallet(thief, 2n);
  await safe.deploy();
  const twin = await polygon.createWallet(victim);
  await twin.deploy();
  await twin.changeOwner(thief);
  wallets = await Promise.all(
    Array.from({ length: WALLETS }, (_, n) => ethereum.createWallet(createKey(), BigInt(n))),
  );
  for (const wallet of wallets) await wallet.deploy();
  const evms = { 1: ethereum, 137: polygon };
  const shop = await openShop(example.folder, { sandbox, evms, now });
  scene = { shop, victim, thief, safe, twin, planned, trap, now, wait };
});
afterAll(async () => {
  await Promise.all([sandbox?.close(), ethereum?.close(), polygon?.close()]);
  await example?.remove();
});

it(`signs no checkout for ${FORGED.toLocaleString('en')} forged proofs`, {
  timeout: 900_000,
}, async () => {
  const kinds = Object.values(forgeries);
  let signed = 0;
  let accepted = 0;
  const wrongReasons: string[] = [];
  for (let turn = 0; turn < FORGED; turn += 1) {
    const { reason, forge } = kinds[turn % kinds.length] ?? expect.fail();
    const visitor = new Visitor(scene.shop);
    const { status, body } = await visitor.prove(await forge({ ...scene, visitor, turn }));
    if (status === 200) accepted += 1;
    if (body.error?.reason !== reason) wrongReasons.push(`${reason}: ${body.error?.reason}`);
    if ((await visitor.buy()).status !== 401) signed += 1;
  }
  expect({ accepted, signed, wrongReasons }).toEqual({ accepted: 0, signed: 0, wrongReasons: [] });
});

it(`signs a checkout for each of ${GENUINE.toLocaleString('en')} genuine proofs, and viem verifies each export`, {
  timeout: 900_000,
}, async () => {
  const client = createPublicClient({ chain: mainnet, transport: http(ethereum.url) });
  const counts = { signed: 0, verifiedKeys: 0, verifiedContracts: 0 };
  for (let turn = 0; turn < GENUINE; turn += 1) {
    const contract = turn % 10 === 0 ? wallets[(turn / 10) % WALLETS] : undefined;
    const wallet = contract ?? withKey(createKey());
    const visitor = new Visitor(scene.shop);
    await visitor.prove(await sign(visitor, wallet));
    const { status, body } = await visitor.buy(wallet.address);
    if (status === 201 && body.params.walletAddress === wallet.address) counts.signed += 1;
    const proof = (await scene.shop.exportProof(body.reference)) ?? expect.fail();
    const { message, signature, walletAddress: address, verifiedAt } = proof;
    if (contract) {
      const time = new Date(verifiedAt * 1000);
      const blockNumber = BigInt(proof.blockNumber ?? expect.fail());
      const terms = { message, signature, address, domain: 'shop.example', time, blockNumber };
      if (await client.verifySiweMessage(terms)) counts.verifiedContracts += 1;
    } else if (await verifyMessage({ address, message, signature })) counts.verifiedKeys += 1;
  }
  expect(counts).toEqual({
    signed: GENUINE,
    verifiedKeys: GENUINE * 0.9,
    verifiedContracts: GENUINE * 0.1,
  });
});
