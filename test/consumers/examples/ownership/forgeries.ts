import { bytesToHex, type Hex, hexToBytes, type LocalAccount } from 'viem';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { origin, type Proof, type Shop, Visitor } from './openShop.js';
import type { ContractWallet } from './startEvm.js';

/** Creates the message that the page of the shop creates. */
export const writeMessage = (
  terms: Pick<SiweMessage, 'address' | 'nonce' | 'issuedAt' | 'expirationTime'> &
    Partial<SiweMessage>,
): string =>
  createSiweMessage({
    chainId: 1,
    domain: new URL(origin).host,
    uri: origin,
    version: '1',
    statement: 'This wallet is mine. I want to receive here what I buy.',
    ...terms,
  });

/** Signs in as the page does. `change` changes the message before it is signed. */
export async function sign(
  visitor: Visitor,
  wallet: Pick<LocalAccount, 'address'> & { sign(message: string): Promise<Hex> },
  change: Partial<SiweMessage> = {},
): Promise<{ message: string; signature: Hex }> {
  const terms = await visitor.requestTerms();
  const message = writeMessage({ ...terms, address: wallet.address, ...change });
  return { message, signature: await wallet.sign(message) };
}

export const withKey = (account: LocalAccount) => ({
  address: account.address,
  sign: (message: string) => account.signMessage({ message }),
});

export interface Scene {
  readonly shop: Shop;
  /** The browser that sends the forged proof. */
  readonly visitor: Visitor;
  readonly victim: LocalAccount;
  readonly thief: LocalAccount;
  /** A deployed contract wallet of the victim. */
  readonly safe: ContractWallet;
  /** The contract wallet with the same address on Polygon, where it belongs to the thief by now. */
  readonly twin: ContractWallet;
  /** A contract wallet of the victim that is not deployed yet. */
  readonly planned: ContractWallet;
  /** A contract wallet of the thief that is not deployed yet. */
  readonly trap: ContractWallet;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Moves the clock of the shop. */
  readonly wait: (seconds: number) => void;
  /** Counts up, so that the same kind of forgery differs each time. */
  readonly turn: number;
}

interface Forgery {
  /** The reason with which the shop refuses. */
  readonly reason: string;
  forge(scene: Scene): Promise<Proof>;
}

const at = (scene: Scene, seconds: number) => new Date(scene.now() + seconds * 1000);
const own = ({ visitor, victim }: Scene, change?: Partial<SiweMessage>) =>
  sign(visitor, withKey(victim), change);

function flipBit(signature: Hex, turn: number): Hex {
  const bytes = hexToBytes(signature);
  // Leave out the last byte. It says which of two keys signed, and several of its values mean the same.
  const place = turn % 512;
  const index = Math.floor(place / 8);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << (place % 8));
  return bytesToHex(bytes);
}

/** Proofs that the shop must refuse, each for one reason. Most are signed by the victim's own key. */
export const forgeries: Readonly<Record<string, Forgery>> = {
  'signed by another key': {
    reason: 'signature',
    forge: ({ visitor, victim, thief }) =>
      sign(visitor, { ...withKey(thief), address: victim.address }),
  },
  'with one flipped bit in the signature': {
    reason: 'signature',
    async forge(scene) {
      const { message, signature } = await own(scene);
      return { message, signature: flipBit(signature, scene.turn) };
    },
  },
  'with the signature of another message': {
    reason: 'signature',
    async forge(scene) {
      const { signature } = await own(scene);
      return { message: (await own(scene)).message, signature };
    },
  },
  'with the address changed after the signing': {
    reason: 'signature',
    async forge(scene) {
      const { message, signature } = await sign(scene.visitor, withKey(scene.thief));
      return { message: message.replace(scene.thief.address, scene.victim.address), signature };
    },
  },
  'without a signature': {
    reason: 'malformed',
    forge: async (scene) => ({ message: (await own(scene)).message }),
  },
  'with a signature of no bytes': {
    reason: 'signature',
    forge: async (scene) => ({ message: (await own(scene)).message, signature: '0x' }),
  },
  'with a signature of 10,000 bytes': {
    reason: 'malformed',
    forge: async (scene) => ({
      message: (await own(scene)).message,
      signature: `0x${'ab'.repeat(10_000)}`,
    }),
  },
  'with a message that is no text': {
    reason: 'malformed',
    forge: async (scene) => ({ ...(await own(scene)), message: { address: scene.victim.address } }),
  },
  'with a message of 3,000 characters': {
    reason: 'malformed',
    forge: (scene) => own(scene, { statement: 'x'.repeat(3000) }),
  },
  'of another site': {
    reason: 'domain',
    forge: (scene) =>
      own(scene, { domain: `shop${scene.turn}.example`, uri: `https://shop${scene.turn}.example` }),
  },
  'of another domain with the URI of the shop': {
    reason: 'domain',
    forge: (scene) => own(scene, { domain: 'shop.example.evil.example' }),
  },
  'of the domain of the shop with another URI': {
    reason: 'domain',
    forge: (scene) => own(scene, { uri: `https://evil.example/${scene.turn}` }),
  },
  'of another port of the shop': {
    reason: 'domain',
    forge: (scene) => own(scene, { domain: 'shop.example:8443', uri: 'https://shop.example:8443' }),
  },
  'of the shop without TLS': {
    reason: 'domain',
    forge: (scene) => own(scene, { scheme: 'http' }),
  },
  'of a chain that the shop does not sell on': {
    reason: 'chain',
    forge: (scene) => own(scene, { chainId: [5, 10, 56, 11_155_111][scene.turn % 4] ?? 5 }),
  },
  'with an invented nonce': {
    reason: 'nonce',
    forge: (scene) => own(scene, { nonce: `${scene.turn}`.padStart(32, 'a') }),
  },
  'with the nonce of another session': {
    reason: 'nonce',
    async forge(scene) {
      const { nonce } = await new Visitor(scene.shop).requestTerms();
      return own(scene, { nonce });
    },
  },
  'with an older nonce of the session': {
    reason: 'nonce',
    async forge(scene) {
      const older = await own(scene);
      await scene.visitor.requestTerms();
      return older;
    },
  },
  'without a session': {
    reason: 'nonce',
    async forge(scene) {
      const proof = await own(scene);
      scene.visitor.cookie = undefined;
      return proof;
    },
  },
  'that was accepted in another session': {
    reason: 'nonce',
    async forge(scene) {
      const other = new Visitor(scene.shop);
      const proof = await sign(other, withKey(scene.victim));
      const { status } = await other.prove(proof);
      if (status !== 200) throw new Error('The genuine proof was refused.');
      await scene.visitor.requestTerms();
      return proof;
    },
  },
  'that was accepted in this session before the sign-out': {
    reason: 'nonce',
    async forge(scene) {
      const proof = await own(scene);
      const { status } = await scene.visitor.prove(proof);
      if (status !== 200) throw new Error('The genuine proof was refused.');
      const { cookie } = scene.visitor;
      await scene.visitor.request('POST', '/api/wallet/sign-out');
      scene.visitor.cookie = cookie;
      return proof;
    },
  },
  'that was refused before': {
    reason: 'nonce',
    async forge(scene) {
      const { message, signature } = await own(scene);
      await scene.visitor.prove({ message, signature: flipBit(signature, 0) });
      return { message, signature };
    },
  },
  'signed six minutes after the nonce was issued': {
    reason: 'nonce',
    async forge(scene) {
      const proof = await own(scene);
      scene.wait(360);
      return proof;
    },
  },
  'that has expired': {
    reason: 'time',
    forge: (scene) => own(scene, { expirationTime: at(scene, -1 - scene.turn) }),
  },
  'that never expires': {
    reason: 'time',
    forge: (scene) => own(scene, { expirationTime: undefined }),
  },
  'that expires in a year': {
    reason: 'time',
    forge: (scene) => own(scene, { expirationTime: at(scene, 365 * 86_400) }),
  },
  'that is not valid yet': {
    reason: 'time',
    forge: (scene) => own(scene, { notBefore: at(scene, 60) }),
  },
  'that was issued in the future': {
    reason: 'time',
    forge: (scene) => own(scene, { issuedAt: at(scene, 120) }),
  },
  'that was issued before its nonce': {
    reason: 'time',
    forge: (scene) => own(scene, { issuedAt: at(scene, -3600) }),
  },
  'with text after the message': {
    reason: 'malformed',
    forge: (scene) =>
      change(scene, (message) => `${message}\nExpiration Time: 2999-01-01T00:00:00Z`),
  },
  'with text before the message': {
    reason: 'malformed',
    forge: (scene) => change(scene, (message) => ` ${message}`),
  },
  'with a second address': {
    reason: 'malformed',
    forge: (scene) =>
      change(
        scene,
        (message) => `${message.split('\n\n')[0]}\n${scene.thief.address}\n\n${message}`,
      ),
  },
  'with Windows line breaks': {
    reason: 'malformed',
    forge: (scene) => change(scene, (message) => message.replaceAll('\n', '\r\n')),
  },
  'with a lower-case address': {
    reason: 'malformed',
    forge: (scene) =>
      change(scene, (message) =>
        message.replace(scene.victim.address, scene.victim.address.toLowerCase()),
      ),
  },
  'with a chain ID in another spelling': {
    reason: 'malformed',
    forge: (scene) => change(scene, (message) => message.replace('Chain ID: 1', 'Chain ID: 01')),
  },
  'of another version': {
    reason: 'malformed',
    forge: (scene) => change(scene, (message) => message.replace('Version: 1', 'Version: 2')),
  },
  'for a contract wallet, signed by another key': {
    reason: 'signature',
    forge: ({ visitor, safe, thief }) =>
      sign(visitor, { ...withKey(thief), address: safe.address }),
  },
  'for a contract wallet, with another message of its owner': {
    reason: 'signature',
    async forge({ visitor, safe, turn }) {
      const { message } = await sign(visitor, safe);
      return { message, signature: await safe.sign(`${message}${turn}`) };
    },
  },
  'for a contract wallet, signed for its address on another chain': {
    reason: 'signature',
    forge: ({ visitor, safe, twin }) =>
      sign(visitor, { address: safe.address, sign: (message) => twin.sign(message) }),
  },
  'for a contract wallet, by its owner on another chain': {
    reason: 'signature',
    forge: ({ visitor, safe, thief }) =>
      sign(visitor, { address: safe.address, sign: (message) => safe.sign(message, thief) }),
  },
  'for a contract wallet, by an owner who was replaced': {
    reason: 'signature',
    forge: ({ visitor, twin }) => sign(visitor, twin, { chainId: 137 }),
  },
  'for a contract wallet, on a chain without a node': {
    reason: 'signature',
    forge: ({ visitor, safe }) => sign(visitor, safe, { chainId: 8453 }),
  },
  'for a contract wallet that is not deployed, without its deployment': {
    reason: 'signature',
    forge: ({ visitor, planned }) => sign(visitor, planned),
  },
  'for a contract wallet that is not deployed, with the deployment of another': {
    reason: 'signature',
    forge: ({ visitor, planned, trap }) =>
      sign(visitor, { address: planned.address, sign: trap.signUndeployed }),
  },
  'for a contract wallet that is deployed, with the deployment of another': {
    reason: 'signature',
    forge: ({ visitor, safe, trap }) =>
      sign(visitor, { address: safe.address, sign: trap.signUndeployed }),
  },
  'for a key, with the deployment of a contract': {
    reason: 'signature',
    forge: ({ visitor, victim, trap }) =>
      sign(visitor, { address: victim.address, sign: trap.signUndeployed }),
  },
};

/** Changes the text of a message before the victim signs it. */
async function change(scene: Scene, edit: (message: string) => string): Promise<Proof> {
  const terms = await scene.visitor.requestTerms();
  const message = edit(writeMessage({ ...terms, address: scene.victim.address }));
  return { message, signature: await scene.victim.signMessage({ message }) };
}
