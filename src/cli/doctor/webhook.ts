import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { withTimeLimit } from '../../server/internal/withTimeLimit.js';
import { isOnLoopback, type Shop } from './environment.js';
import { type Finding, ok, problem, skipped, warning } from './Finding.js';
import {
  describeFailure,
  findRampCode,
  type Result,
  request,
  type Surroundings,
} from './request.js';

/**
 * Checks the webhook's address from this machine: its name, its TLS connection, and that the handler refuses a webhook
 * without a signature. This machine cannot tell whether the service can reach the address.
 */
export async function checkWebhook(shop: Shop, surroundings: Surroundings): Promise<Finding> {
  const { webhookUrl } = shop;
  if (!webhookUrl) return skipped('webhook', 'RAMP_WEBHOOK_URL cannot be used.');
  const unresolved = isOnLoopback(webhookUrl)
    ? undefined
    : await checkAddress(new URL(webhookUrl), surroundings);
  if (unresolved?.status === 'problem') return unresolved;
  const unsigned = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  };
  const finding = describeResponse(await request(webhookUrl, unsigned, surroundings));
  return finding.status === 'ok' ? (unresolved ?? finding) : finding;
}

/** Reports a host name that has no address, or one that the service cannot reach. */
async function checkAddress(
  url: URL,
  { runtime, signal, limitMs }: Surroundings,
): Promise<Finding | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const onTimeout = (): string[] | Error =>
    Object.assign(new Error('The name server does not respond.'), { code: 'EAI_AGAIN' });
  const resolved = await withTimeLimit({ runtime, limitMs, onTimeout, signal }, async () => {
    if (isIP(host)) return [host];
    return lookup(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      (error: Error) => error,
    );
  });
  if (resolved instanceof Error) {
    const { code } = resolved as NodeJS.ErrnoException;
    const { message, cure } = describeFailure(code ?? 'unknown', url);
    return problem('webhook', `RAMP_WEBHOOK_URL ${message}`, cure);
  }
  if (!resolved.some(isPrivate)) return undefined;
  return warning(
    'webhook',
    `${host} has a private address for this machine, which the service cannot reach.`,
    'Check that the public DNS has a public address for it.',
  );
}

const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv6');

const isPrivate = (address: string) =>
  privateAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

const PATH_CURE =
  'Set it to the path at which the handler is mounted, followed by /webhook, and register the same address with the service.';

function describeResponse(result: Result): Finding {
  const refuse = (message: string, cure: string) =>
    problem('webhook', `RAMP_WEBHOOK_URL ${message}`, cure);
  if ('failure' in result) return refuse(result.failure.message, result.failure.cure);
  const { status, isHtml } = result;
  const code = findRampCode(result);
  if (status === 401 && code === 'ERR_WEBHOOK_VERIFICATION')
    return ok(
      'webhook',
      'The handler refuses an unsigned webhook from this machine. This is not a check from outside: only a webhook from the service shows that it reaches you.',
    );
  if (status >= 200 && status < 300)
    return refuse(
      'accepts a webhook without a signature.',
      'Pass webhookUrl and webhookPublicKey to createRamp, and let no other route answer this path.',
    );
  if (status >= 300 && status < 400)
    return refuse(
      `redirects (${status}), and the service signs the address that it calls.`,
      'Register the address that it redirects to, and set the variable to the same.',
    );
  if (status === 404)
    return refuse('is not a path of the handler: it responds with 404.', PATH_CURE);
  if (status === 405)
    return refuse('is the path of another route, which takes no POST (405).', PATH_CURE);
  if (status === 429)
    return warning(
      'webhook',
      'RAMP_WEBHOOK_URL responds with 429, because a rate limit was reached.',
      'Exempt webhooks from the rate limit, or try again later.',
    );
  if (status >= 500)
    return refuse(
      `fails with ${status}${code ? ` (${code})` : ''}.`,
      "Read the server's log for the cause.",
    );
  if (isHtml)
    return refuse(`returns an HTML page (${status}), so it is not the handler.`, PATH_CURE);
  return refuse(
    `responds with ${status} to a webhook, and not as the ramp handler does.`,
    'Let requests from the service reach the ramp handler without a login, a CSRF check or a filter of addresses.',
  );
}
