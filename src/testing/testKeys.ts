import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The keys that all test backends in one process share. */
export interface TestKeys {
  readonly partnerId: string;
  readonly secretKey: string;
  /** One pair for both directions, because creating a pair takes a tenth of a second. */
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

let keys: TestKeys | undefined;

/** Returns the keys, which are new in each process. */
export function getTestKeys(): TestKeys {
  keys ??= {
    partnerId: randomBytes(8).toString('hex'),
    secretKey: randomBytes(16).toString('hex'),
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
  };
  return keys;
}
