import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** The RSA keys of one run. The service has the other half of each of the partner's pairs. */
export interface SandboxKeys {
  /** Verifies API requests of the partner. */
  readonly apiPublicKey: KeyObject;
  /** Signs webhooks. */
  readonly webhookPrivateKey: KeyObject;
  /** The keys that a partner receives at onboarding, PEM text: PKCS#8 and SPKI. */
  readonly issued: { readonly apiPrivateKey: string; readonly webhookPublicKey: string };
}

const generateRsaKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

/** Generates a key pair for requests and one for webhooks, off the main thread. */
export async function createSandboxKeys(): Promise<SandboxKeys> {
  const [api, webhook] = await Promise.all([generateRsaKeyPair(), generateRsaKeyPair()]);
  return {
    apiPublicKey: api.publicKey,
    webhookPrivateKey: webhook.privateKey,
    issued: {
      apiPrivateKey: exportPem(api.privateKey, 'pkcs8'),
      webhookPublicKey: exportPem(webhook.publicKey, 'spki'),
    },
  };
}

const exportPem = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
  key.export({ type, format: 'pem' }).toString();
