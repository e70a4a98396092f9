import type { KeyObject } from 'node:crypto';
import { isRampError } from '../../protocol/errors/isRampError.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { buildWidgetUrl } from '../../protocol/widget/buildWidgetUrl.js';
import { getSeconds, type Runtime } from '../../server/internal/runtime.js';
import { createPartnerApi, type PartnerApi } from '../../server/partner-api/createPartnerApi.js';
import { createWidgetSigner } from '../../server/signing/createWidgetSigner.js';
import { isOnLoopback, type Shop } from './environment.js';
import { type Finding, ok, problem, skipped, warning } from './Finding.js';
import { describeFailure, request, type Surroundings } from './request.js';

const SIGNED_CHECKS = ['keys', 'prices', 'orders', 'widget'] as const;

/**
 * Checks the service with the shop's keys: whether it responds, its clock, a signed call, the price list, the order
 * list and the widget. Opens no checkout.
 */
export async function checkService(shop: Shop, surroundings: Surroundings): Promise<Finding[]> {
  const { apiUrl, partnerId, apiPrivateKey } = shop;
  if (!apiUrl || !partnerId || !apiPrivateKey)
    return (['service', 'clock', ...SIGNED_CHECKS] as const).map((check) =>
      skipped(check, 'RAMP_API_URL, RAMP_PARTNER_ID or RAMP_API_PRIVATE_KEY cannot be used.'),
    );
  const client = createClient({ apiUrl, partnerId, apiPrivateKey }, surroundings);
  const call = { signal: surroundings.signal };
  const currencies = await attempt(client.api.fiatCurrencies(call));
  const { response } = client;
  if (!response) return describeUnreachable(currencies, apiUrl);

  const clock = checkClock(response, client.skew);
  const refusal = 'error' in currencies ? describeRefusal(currencies.error, clock) : undefined;
  if (refusal) {
    const isReached = refusal.check !== 'service';
    const why = 'The first signed call failed.';
    const rest = SIGNED_CHECKS.filter((check) => check !== refusal.check);
    return [
      ...(isReached ? [ok('service', 'RAMP_API_URL responds.')] : []),
      ...(isReached ? [clock, refusal] : [refusal, clock]),
      ...rest.map((check) => skipped(check, why)),
    ];
  }
  return [
    ok('service', 'RAMP_API_URL responds.'),
    clock,
    ok(
      'keys',
      'The service accepts a signed call: RAMP_PARTNER_ID and RAMP_API_PRIVATE_KEY belong together.',
    ),
    await checkPrices(client.api, currencies, call),
    await checkOrders(client.api, getSeconds(surroundings.runtime), call),
    await checkWidget(shop, surroundings),
  ];
}

interface Client {
  readonly api: PartnerApi;
  /** The service's last response. `skew` is the error about its clock. */
  readonly response: Response | undefined;
  readonly skew: RampError | undefined;
}

function createClient(
  {
    apiUrl,
    partnerId,
    apiPrivateKey,
  }: { apiUrl: string; partnerId: string; apiPrivateKey: KeyObject },
  { runtime, limitMs }: Surroundings,
): Client {
  let response: Response | undefined;
  let skew: RampError | undefined;
  const recording: Runtime = {
    ...runtime,
    async fetch(...given) {
      response = await runtime.fetch(...given);
      return response;
    },
  };
  const options = {
    baseUrl: apiUrl,
    partnerId,
    privateKey: apiPrivateKey,
    timeoutMs: limitMs,
    maxTries: 1,
    onError: (error: RampError) => {
      skew = error;
    },
  };
  const api = createPartnerApi(options, recording);
  return {
    api,
    get response() {
      return response;
    },
    get skew() {
      return skew;
    },
  };
}

type Attempt<T> = { readonly value: T } | { readonly error: RampError };

async function attempt<T>(call: Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (isRampError(error)) return { error };
    throw error;
  }
}

function describeUnreachable(result: Attempt<unknown>, apiUrl: string): Finding[] {
  const error = 'error' in result ? result.error : undefined;
  const { cause } = Object(error?.cause) as { cause?: { code?: unknown } };
  const { message, cure } = describeFailure(
    String(cause?.code ?? error?.code ?? 'unknown'),
    new URL(apiUrl),
  );
  const why = 'RAMP_API_URL cannot be reached.';
  return [
    problem('service', `RAMP_API_URL ${message}`, cure),
    ...(['clock', ...SIGNED_CHECKS] as const).map((check) => skipped(check, why)),
  ];
}

function checkClock({ headers }: Response, skew: RampError | undefined): Finding {
  if (skew) {
    const [message = '', ...cure] = skew.message.split(/(?<=\.) /);
    return problem('clock', message, cure.join(' '));
  }
  if (headers.has('date') && !headers.has('age'))
    return ok('clock', "The clock of this machine agrees with the service's.");
  return warning(
    'clock',
    "The service's response carries no current Date, so the clock was not compared.",
    'Check that this machine synchronizes its clock (NTP).',
  );
}

/** Describes why the service refused the first signed call, unless it only returned a malformed list. */
function describeRefusal(error: RampError, clock: Finding): Finding | undefined {
  const { apiCode, code, issues, message } = error;
  if (apiCode === '10003' && clock.status === 'problem')
    return skipped('keys', 'The service refuses the signature, perhaps only because of the clock.');
  if (apiCode === '10003')
    return problem(
      'keys',
      'The service refuses the signature: RAMP_PARTNER_ID, RAMP_API_PRIVATE_KEY and RAMP_API_URL do not belong together.',
      'Copy all three from the same environment of the service, and check that the service knows the public key of this private key.',
    );
  if (code === 'ERR_RESPONSE_INVALID' && issues !== undefined) return undefined;
  return problem(
    'service',
    `RAMP_API_URL does not answer as the partner API does: ${message}`,
    apiCode === undefined
      ? 'Set it to the address of the partner API, without /open/api.'
      : 'Run the command again, and ask the service if this persists.',
  );
}

type Call = { readonly signal: AbortSignal };

async function checkPrices(
  api: PartnerApi,
  fiat: Attempt<readonly unknown[]>,
  call: Call,
): Promise<Finding> {
  if ('error' in fiat) return describeCallError('prices', 'The currency list', fiat.error);
  const crypto = await attempt(api.cryptoCurrencies({}, call));
  const empty = (list: string) =>
    problem(
      'prices',
      `The service lists no ${list}, so the shop can sell nothing.`,
      'Ask the service to enable currencies for this partner ID.',
    );
  if (fiat.value.length === 0) return empty('fiat currencies');
  if ('error' in crypto)
    return warning(
      'prices',
      `The service lists ${fiat.value.length} fiat currencies, but not its cryptocurrencies (${crypto.error.code}).`,
      'If your service lists them under another path, pass it to createPartnerApi as cryptoCurrenciesPath.',
    );
  if (crypto.value.length === 0) return empty('cryptocurrencies');
  return ok(
    'prices',
    `The service lists ${fiat.value.length} fiat currencies and ${crypto.value.length} cryptocurrencies.`,
  );
}

const DAY = 86_400;

async function checkOrders(api: PartnerApi, now: number, call: Call): Promise<Finding> {
  const list = await attempt(api.orders({ startTime: now - DAY, endTime: now }, call));
  if ('error' in list) return describeCallError('orders', 'The order list', list.error);
  return ok('orders', `The order list is readable: ${list.value.totalCount} orders in a day.`);
}

const describeCallError = (check: 'prices' | 'orders', subject: string, error: RampError) =>
  problem(
    check,
    `${subject} cannot be read: ${error.message}`,
    'Run the command again, and ask the service if this persists.',
  );

/** A wallet that no one owns. The widget only displays it. */
const WALLET = '0x0000000000000000000000000000000000000001';

/** Requests the widget's page with a signed URL. A service may not verify the signature until later. */
async function checkWidget(shop: Shop, surroundings: Surroundings): Promise<Finding> {
  const { partnerId, secretKey, widgetUrl } = shop;
  if (!partnerId || !secretKey || !widgetUrl)
    return skipped('widget', 'RAMP_SECRET_KEY or RAMP_WIDGET_URL cannot be used.');
  const signer = createWidgetSigner({ partnerId, secretKey }, surroundings.runtime);
  const { params } = signer.sign('on-ramp', { walletAddress: WALLET });
  const result = await request(buildWidgetUrl(widgetUrl, params), {}, surroundings);
  if ('failure' in result) {
    const { message, cure } = result.failure;
    return problem('widget', `RAMP_WIDGET_URL ${message}`, cure);
  }
  const { status } = result;
  if (status < 400)
    return ok(
      'widget',
      'The widget responds to a URL that RAMP_SECRET_KEY signs. Only a purchase proves this key.',
    );
  if (status >= 500)
    return problem(
      'widget',
      `The widget fails with ${status}.`,
      'Run the command again, and ask the service if this persists.',
    );
  const message = `The widget responds with ${status} to a URL that RAMP_SECRET_KEY signs.`;
  const cure =
    'Copy RAMP_SECRET_KEY and RAMP_WIDGET_URL from the environment of RAMP_API_URL, and open one checkout to check.';
  // A real service may refuse a request that does not come from a browser.
  return (isOnLoopback(widgetUrl) ? problem : warning)('widget', message, cure);
}
