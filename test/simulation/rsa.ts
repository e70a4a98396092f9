// Takes the place of src/server/signing/rsa.ts in the simulation.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { signText } from './service.js';

const key: KeyObject = createSecretKey(Buffer.alloc(32));

export const parseRsaPrivateKey = (): KeyObject => key;
export const parseRsaPublicKey = (): KeyObject => key;
export const signRsaSha256 = (text: string): string => signText(text);
export const verifyRsaSha256 = (text: string, signature: string): boolean =>
  signText(text) === signature;
