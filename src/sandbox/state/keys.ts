import { createPublicKey, generateKeyPair, randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

export const savedKeys = z.object({
  /** 16 letters and digits. */
  partnerId: text,
  /** 32 letters and digits. */
  secretKey: text,
  /** The partner's private key, which signs API requests: RSA of 2048 bits, PEM text (PKCS#8). */
  apiPrivateKey: text,
  /** The service's private key, which signs webhooks, in the same form. */
  webhookPrivateKey: text,
  /** The seed of a sandbox that was started without one. */
  seed: text,
});

/** What a sandbox creates at random at its first start, even with a seed, because a stranger could know the seed. */
export type SavedKeys = z.infer<typeof savedKeys>;

/** Generates the RSA keys off the main thread. */
export async function createSavedKeys(): Promise<SavedKeys> {
  const [api, webhook] = await Promise.all([createPrivatePem(), createPrivatePem()]);
  return {
    partnerId: createRandomKey(16),
    secretKey: createRandomKey(32),
    apiPrivateKey: api,
    webhookPrivateKey: webhook,
    seed: randomBytes(16).toString('hex'),
  };
}

const createPrivatePem = async (): Promise<string> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
};

/** Returns the public key of a private key, as PEM text (SPKI). */
export const toPublicPem = (privateKey: string): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns `length` random letters and digits, uniformly distributed. */
const createRandomKey = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
