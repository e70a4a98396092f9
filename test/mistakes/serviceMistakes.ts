import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes that show only when the service is involved: in signatures, webhooks and orders. */
export const serviceMistakes: readonly Mistake[] = [
  createMistake(
    28,
    'The secret belongs to another partner ID',
    'page of the sandbox',
    '10003 Signature error\nThis checkout cannot be opened\nThe signature does not match the text that the service signs for this URL.\nWhat to check\nCheck that your server signs with the SecretKey of this partnerId. With createWidgetSigner, another SecretKey is the usual cause.\nJoin the signed parameters as key=value with &, sorted by key in ASCII order. Do not encode values, except ext, which is URL-encoded first.\ndocs/signing.md in the package describes this text in full, also for other programming languages.\nCompare the text below with the text that your signer signed, character by character.\nEncode the signature as base64, then percent-encode it in the URL: + is %2B, / is %2F, = is %3D.\nCheck that no signed parameter was changed or added after signing. In an on-ramp URL the wallet is signed, the amount is not.',
  ),
  createMistake(
    29,
    "The server's clock is ten minutes slow",
    'page of the sandbox',
    "10003 Signature error\nThis checkout cannot be opened\nThe URL was signed 600 seconds ago; the limit is 300 seconds.\nWhat to check\nSign the URL immediately before the checkout opens. A stored URL or a reloaded page is too old.\nCheck your server's clock.",
  ),
  createMistake(
    30,
    'The partner ID is unknown to the service',
    'page of the sandbox',
    '10003 Signature error\nThis checkout cannot be opened\nUnknown partnerId: it is not the partner ID of this sandbox.\nWhat to check\nThe sandbox generates a new partnerId and SecretKey at each start. Use those of this run.',
  ),
  createMistake(
    32,
    'The url of the verifier differs from the address that the service sends webhooks to',
    'log of the server',
    '[partner-ramp] RampError: The webhook is refused: its signature is not valid. Check the public key, and that `url` is the webhook address that the service has.',
  ),
  createMistake(
    40,
    'ramp.start() is not called',
    'log of the server',
    '[partner-ramp] A checkout was signed but ramp.start() was never called in this process, so only a webhook finds its order. Call ramp.start() once when your server starts. In serverless functions, pass the option serverless, and let a scheduled job request the route /sync of the handler.',
  ),
  createMistake(
    46,
    'Webhooks are sent to a path that responds with 404',
    'log of the sandbox',
    'Sandbox: webhook to {origin}/webhook not accepted: status 404 (attempt 1 of 1). Check that the webhook route is mounted at this path. createRamp serves it at {basePath}/webhook if it has webhookUrl.',
  ),
];
