import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes that appear once the service is involved: signatures, webhooks, orders. */
export const serviceMistakes: readonly Mistake[] = [
  createMistake(
    28,
    'The secret belongs to another partner ID',
    'page of the sandbox',
    '10003 Signature error\nThis checkout cannot be opened\nThe signature does not belong to the text that this URL says was signed.\nWhat to check\nSign on your server, with the SecretKey that belongs to this partnerId.\nJoin the signed parameters as key=value with &, sorted by key in ASCII order, values as they are (ext: URL-encoded first).\ndocs/signing.md, in the package, defines this text in full, also for other languages.\nCompare the text below with what your signer signed, character by character.\nThe signature is base64 and then percent-encoded in the URL: + is %2B, / is %2F, = is %3D.\nWas a signed parameter changed or added after signing? The wallet is signed, the amount is not.',
  ),
  createMistake(
    29,
    "The server's clock is ten minutes slow",
    'page of the sandbox',
    "10003 Signature error\nThis checkout cannot be opened\nThe URL was signed 600 seconds ago; the service takes 300.\nWhat to check\nSign when the checkout is about to open. A URL that was kept, or a page that was reloaded, is too old.\nIs your server's clock right?",
  ),
  createMistake(
    30,
    'The partner ID is another one',
    'page of the sandbox',
    '10003 Signature error\nThis checkout cannot be opened\nThe service does not know this partnerId.\nWhat to check\nThe sandbox makes a new partnerId and SecretKey at each start. Take those of this run.',
  ),
  createMistake(
    32,
    'The verifier has another url than the one that the service sends webhooks to',
    'log of the server',
    '[partner-ramp] RampError: The webhook is refused: its signature is not valid. Check the public key, and that `url` is the webhook address that the service has.',
  ),
  createMistake(
    40,
    'The tracker is not started',
    'log of the server',
    '[partner-ramp] A checkout was signed but tracker.start() was never called in this process, so only a webhook finds its order. Call tracker.start() once when your server starts. In serverless functions, also call tracker.sync() from a scheduled job.',
  ),
  createMistake(
    46,
    'Webhooks are sent to a path that is a 404',
    'log of the sandbox',
    'Sandbox: webhook to {origin}/webhook not accepted: status 404 (attempt 1 of 1). Is the webhook route mounted at this path? createRampHandler serves it at {basePath}/webhook if it has the option webhooks.',
  ),
];
