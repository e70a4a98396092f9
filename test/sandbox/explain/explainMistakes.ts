import { explainSignature, type KnownKeys } from '../../../src/sandbox/explain/explainSignature.js';
import {
  type ReceivedRequest,
  readRequestMessage,
  readWidgetMessage,
} from '../../../src/sandbox/explain/signedMessage.js';
import { otherKeys, otherSecret, publicKey } from '../../support/sandbox/signerMistakes.js';
import { partnerId, secretKey } from '../../support/sandbox/signQuery.js';
import { apiKeys } from '../../support/sandbox/webhookMistakes.js';

/** The keys that are known where the mistakes of tests are explained. */
export const knownKeys: KnownKeys = {
  partnerId,
  secretKey,
  apiPublicKey: publicKey,
  webhookPublicKey: publicKey,
  otherSecrets: [{ name: 'the SecretKey of tests', value: otherSecret }],
  otherPublicKeys: [{ name: 'the APIPrivateKey of tests', key: otherKeys.publicKey }],
};

export const explainUrl = (url: string, signerText?: string) =>
  explainSignature(readWidgetMessage(url), knownKeys, signerText);
export const explainRequest = (request: ReceivedRequest, signerText?: string) =>
  explainSignature(readRequestMessage('api-request', request), knownKeys, signerText);
export const explainWebhook = (request: ReceivedRequest, signerText?: string) => {
  const keys = { ...knownKeys, apiPublicKey: apiKeys.publicKey };
  return explainSignature(readRequestMessage('webhook', request), keys, signerText);
};
