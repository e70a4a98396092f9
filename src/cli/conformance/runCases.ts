import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type Route, routes } from '../../contract/routes.js';
import { errorBodySchema } from '../../contract/schemas.js';
import { buildWidgetPayload } from '../../protocol/widget/buildWidgetPayload.js';
import { getSignedNames, getWidgetParameters } from '../../protocol/widget/widgetParameters.js';
import type { Expectation, ListedCase, Need, Shopper, Step, Widget } from './cases.js';
import type { LoopbackClient, Message, Reply } from './loopbackClient.js';
import type { Service, SignedParams, Webhook } from './startService.js';

type Headers = Readonly<Record<string, string>>;

export interface RunOptions {
  readonly client: LoopbackClient;
  readonly service: Service;
  /** The headers of each signed-in shopper. */
  readonly shoppers: readonly Headers[];
  /** The proposal for an item that the shop sells. Without it, NFT checkout is not tested. */
  readonly nft: Readonly<Record<string, string>> | undefined;
  /** The origin of the shop's pages. */
  readonly origin: string;
  /** The path of the backend's webhook route. */
  readonly webhookPath: string;
  /** How long a checkout may take to reach the expected state. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

export interface CaseResult {
  readonly id: string;
  readonly subject: string;
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What differs, or why the case did not run. */
  readonly why?: string;
  /** What to change, or where it is documented. */
  readonly advice?: string;
}

/** What a backend does wrong, as one sentence without its full stop. */
class Difference extends Error {}

/** Why a case does not apply to the backend. */
class NotApplicable extends Error {}

interface OpenCheckout {
  readonly reference: string;
  readonly widget: Widget;
  readonly params: SignedParams;
  readonly as: Shopper;
  /** How many times the order list had been read when the checkout was paid. */
  reads: number;
  webhook?: Webhook;
}

/** Runs the cases one after another. The run ends if a case with `stops` fails. */
export async function* runCases(
  cases: readonly ListedCase[],
  options: RunOptions,
): AsyncGenerator<CaseResult> {
  const runner = createRunner(options);
  const results = new Map<string, CaseResult['result']>();
  for (const { id, subject, title, advice, after = [], needs = [], stops, steps } of cases) {
    const shown = { id, subject, title };
    const missing = needs.map((need) => runner.findMissing(need)).find(Boolean);
    const before = after.find((each) => (results.get(each) ?? 'passed') !== 'passed');
    const reason = missing ?? (before && `${before} did not pass`);
    const outcome = reason
      ? ({ result: 'skipped', why: reason } as const)
      : await runner.run(steps);
    results.set(id, outcome.result);
    yield { ...shown, ...outcome, ...(outcome.result === 'failed' && { advice }) };
    if (outcome.result === 'failed' && stops) return;
  }
  yield* runner.listCommonResults();
}

function createRunner(options: RunOptions) {
  const { client, service, shoppers, nft, origin, webhookPath, waitSeconds, signal } = options;
  const references = new Set<string>();
  const common = createCommonChecks();
  let isLocked = true;

  async function send(path: string, as: Shopper, label: string, message: Message): Promise<Reply> {
    const headers = { ...getShopperHeaders(as), ...message.headers };
    const route = findRoute(message.method, path);
    return receive(`${client.basePath}${path}`, label, { ...message, headers }, route);
  }

  async function receive(
    path: string,
    label: string,
    message: Message,
    route?: Route,
  ): Promise<Reply> {
    signal.throwIfAborted();
    let reply: Reply;
    try {
      reply = await client.send(path, message);
    } catch (error) {
      throw new Difference(`${label}: no response (${(error as Error).message})`);
    }
    checkCommonRules(label, reply, route);
    return reply;
  }

  function checkCommonRules(label: string, reply: Reply, route?: Route): void {
    if (reply.status >= 300 && reply.status < 400 && reply.status !== 304)
      throw new Difference(
        `${label}: redirects with status ${reply.status}, which is not followed`,
      );
    common.check(label, reply, route);
  }

  function getShopperHeaders(as: Shopper): Headers {
    if (as === 'nobody') return {};
    return shoppers[as === 'first' ? 0 : 1] ?? {};
  }

  /** Creates the state of one case: its checkouts and its saved responses. */
  function createScene() {
    const checkouts = new Map<string, OpenCheckout>();
    const replies = new Map<string, Reply>();

    function get(name: string): OpenCheckout {
      const checkout = checkouts.get(name);
      if (!checkout) throw new Error(`The case opens no checkout ${name}.`);
      return checkout;
    }

    /** Replaces `{name}`, `{name.parameter}` and `{20000 characters}` in a text. */
    function fill(text: string): string {
      return text.replace(/\{([\w ]+)(?:\.(\w+))?\}/g, (_, name: string, parameter?: string) => {
        const [count, unit] = name.split(' ');
        if (unit === 'characters') return 'x'.repeat(Number(count));
        const { reference, params } = get(name);
        return parameter ? (params[parameter] ?? '') : reference;
      });
    }
    const fillAll = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value), (_, each) =>
        typeof each === 'string' ? fill(each) : each,
      );

    function checkReply(label: string, reply: Reply, expected: Expectation): void {
      checkStatus(label, reply, expected.status);
      if (expected.code && reply.status >= 400) {
        const code = readCode(reply);
        if (!expected.code.includes(code ?? ''))
          throw new Difference(
            `${label}: expected the code ${expected.code.join(' or ')}, got ${code ?? 'none'}`,
          );
      }
      const found = expected.absentHeaders?.find((name) => reply.headers[name] !== undefined);
      if (found) throw new Difference(`${label}: the response has the header ${found}`);
      for (const text of expected.absentText ?? [])
        if (fill(text) !== '' && reply.text.includes(fill(text)))
          throw new Difference(`${label}: the response has ${describeText(text)}`);
      if (expected.sameTextAs && replies.get(expected.sameTextAs)?.text !== reply.text)
        throw new Difference(`${label}: the two responses have different bodies`);
      const difference = findDifferentPart(fillAll(expected), parse(reply.text));
      if (difference) throw new Difference(`${label}: ${difference}`);
    }

    async function readProgress({ reference, as }: OpenCheckout): Promise<string> {
      const label = 'GET /checkouts/:reference';
      const reply = await send(`/checkouts/${reference}`, as, label, {});
      checkStatus(label, reply, [200]);
      return `${(parse(reply.text) as { progress?: unknown } | undefined)?.progress}`;
    }

    async function open(step: Step & { do: 'open' }): Promise<void> {
      const { as, widget, save, params: proposed = {}, mayRefuse } = step;
      const label = `POST /checkouts (${widget})`;
      const item = widget === 'nft' ? nft : {};
      const reply = await send('/checkouts', as, label, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/json' },
        body: JSON.stringify({ widget, params: { ...item, ...proposed }, ...step.body }),
      });
      if (mayRefuse && reply.status >= 400 && reply.status < 500) return;
      checkStatus(label, reply, [200, 201], adviseOnRefusal(reply, origin));
      const { reference, params } = await readCheckout(label, widget, reply);
      const copied = Object.keys(proposed).find((name) => params[name] === proposed[name]);
      if (copied) throw new Difference(`${label}: ${copied} is signed as the page proposed it`);
      if (references.has(reference))
        throw new Difference(`${label}: the reference belongs to an earlier checkout`);
      references.add(reference);
      if (widget === 'on-ramp') isLocked = isWalletLocked(params);
      checkouts.set(save, { reference, widget, params, as, reads: 0 });
    }

    async function readCheckout(label: string, widget: Widget, reply: Reply) {
      const body = parse(reply.text) as Record<string, unknown> | undefined;
      const given = body?.params;
      if (!body || !given || typeof given !== 'object')
        throw new Difference(`${label}: the response has no params`);
      for (const [name, value] of Object.entries(given))
        if (typeof value !== 'string')
          throw new Difference(`${label}: params.${name} is a ${typeof value}, not text`);
      const params = given as SignedParams;
      const unsigned = findUnsignedName(widget, params);
      if (unsigned)
        throw new Difference(
          `${label}: params contains ${unsigned}, which the ${widget} widget does not sign`,
        );
      const refusal = await service.findRefusal(params);
      if (refusal !== undefined)
        throw new Difference(
          `${label}: the service refuses the signed URL: ${refusal.replace(/\.$/, '')}`,
        );
      const { reference, expiresInSeconds } = body;
      if (typeof reference !== 'string')
        throw new Difference(`${label}: the response has no reference`);
      if (params.ext !== reference)
        throw new Difference(`${label}: ext is not the reference of the response`);
      if (!/^[A-Za-z0-9._-]{22,128}$/.test(reference))
        throw new Difference(
          `${label}: the reference has other characters than A-Z a-z 0-9 . _ - or fewer than 22`,
        );
      if (
        expiresInSeconds !== undefined &&
        !(Number.isInteger(expiresInSeconds) && Number(expiresInSeconds) < 300)
      )
        throw new Difference(`${label}: expiresInSeconds is not a number below 300`);
      return { reference, params };
    }

    async function continueCheckout(step: Step & { do: 'continue' }): Promise<void> {
      const first = get(step.checkout);
      const { widget, reference } = first;
      const label = 'POST /checkouts/:reference/continue';
      const request = () =>
        send(`/checkouts/${reference}/continue`, first.as, label, {
          method: 'POST',
          headers: { Origin: origin },
        });
      let reply = await request();
      // A 503 means that the order list could not be read in time. The page also keeps trying for ten seconds.
      for (const end = Date.now() + 10_000; reply.status === 503 && Date.now() < end; ) {
        const seconds = Number(reply.headers['retry-after']) || 2;
        await delay(Math.min(seconds, 10) * 1000, undefined, { signal });
        reply = await request();
      }
      checkPresence(label, reply, step.optional);
      checkStatus(label, reply, [200, 201], adviseOnRefusal(reply, origin));
      const { params, ...again } = await readCheckout(label, widget, reply);
      if (again.reference !== reference)
        throw new Difference(`${label}: the reference belongs to another checkout`);
      const changed = getSignedNames(widget).find(
        (name) => name !== 'timestamp' && name !== 'nonce' && params[name] !== first.params[name],
      );
      if (changed) throw new Difference(`${label}: ${changed} differs from the checkout's`);
      if (params.signature === first.params.signature)
        throw new Difference(`${label}: the signature is the first one, which expires`);
      checkouts.set(step.save, { ...first, params });
    }

    async function pay({ checkout: name, signed, webhook }: Step & { do: 'pay' }): Promise<void> {
      const checkout = get(name);
      checkout.reads = service.countReads();
      const params = signed
        ? signParams(checkout.widget, { ...checkout.params, ...signed }, service)
        : checkout.params;
      checkout.webhook = await service.pay(params, webhook);
    }

    async function wait({ checkout: name, until, never = [] }: Step & { do: 'wait' }) {
      const checkout = get(name);
      const end = Date.now() + waitSeconds * 1000;
      for (;;) {
        const progress = await readProgress(checkout);
        if (never.includes(progress))
          throw new Difference(`the checkout is ${progress}; expected ${until.join(' or ')}`);
        if (until.includes(progress)) return;
        if (Date.now() > end)
          throw new Difference(
            `the checkout is still ${progress} after ${waitSeconds} seconds; expected ${until.join(' or ')}. ${service.describeReads(checkout.reads)}`,
          );
        // A backend may refuse more than 300 requests a minute.
        await delay(500, undefined, { signal });
      }
    }

    async function sendWebhook(step: Step & { do: 'webhook' }): Promise<void> {
      const { webhook, reference } = get(step.of);
      if (!webhook) throw new Error(`The case has not paid ${step.of}.`);
      const headers: Record<string, string> = { ...webhook.headers };
      for (const [name, value] of Object.entries(step.headers ?? {})) {
        if (value === '') delete headers[name.toLowerCase()];
        else headers[name.toLowerCase()] = value;
      }
      const body = step.bodyOf
        ? webhook.body
            .replace(reference, get(step.bodyOf).reference)
            .replace(/("orderId":")[^"]*/, (_, before) => `${before}${'f'.repeat(32)}`)
        : webhook.body;
      const path = `${webhookPath}${step.query ?? ''}`;
      const reply = await receive(path, 'POST webhook', { method: 'POST', headers, body });
      checkReply('POST webhook', reply, step.expect);
    }

    async function replay({ of, times, everyMs, maxReads }: Step & { do: 'replay' }) {
      const start = service.countReads();
      await delay(times * everyMs, undefined, { signal });
      const usual = service.countReads() - start;
      for (let i = 0; i < times; i++) {
        await sendWebhook({ do: 'webhook', of, expect: { status: [200] } });
        await delay(everyMs, undefined, { signal });
      }
      const caused = service.countReads() - start - 2 * usual;
      if (caused > maxReads)
        throw new Difference(
          `${times} replays of one webhook caused ${caused} more requests to the order list: a replay is accepted as new`,
        );
    }

    async function payOthers(count: number): Promise<void> {
      const pay = async (_: unknown, i: number) => {
        const params = {
          partnerId: service.partnerId,
          walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
          ext: `order ${i} of another system (${references.size})`,
          timestamp: `${Math.floor(Date.now() / 1000)}`,
          nonce: `${100_000 + i}`,
        };
        await service.pay(signParams('on-ramp', params, service));
      };
      await Promise.all(Array.from({ length: count }, pay));
    }

    function readTag(label: string, saved: string): string {
      const { etag } = replies.get(saved)?.headers ?? {};
      if (!etag) throw new NotApplicable(`${label}: the response has no ETag, which is optional`);
      return etag;
    }

    async function sendRequest(step: Step & { do: 'request' }): Promise<void> {
      const { method, path, as, expect, save } = step;
      const label = `${method} ${path.replace(/\{.*?\}/g, ':reference')}${describeShopper(as)}`;
      const from = step.origin ?? (method === 'POST' ? origin : '');
      const isJson = step.body !== undefined || step.text !== undefined;
      const reply = await send(fill(path), as, label, {
        method,
        headers: {
          ...(from && { Origin: from }),
          ...(isJson && { 'Content-Type': 'application/json' }),
          ...(step.unchangedSince && { 'If-None-Match': readTag(label, step.unchangedSince) }),
          ...step.headers,
        },
        ...(isJson && { body: step.text ?? JSON.stringify(fillAll(step.body)) }),
      });
      checkPresence(label, reply, step.optional);
      checkReply(label, reply, expect);
      if (save) replies.set(save, reply);
    }

    const perform = async (step: Step): Promise<void> => {
      switch (step.do) {
        case 'open':
          return open(step);
        case 'request':
          return sendRequest(step);
        case 'continue':
          return continueCheckout(step);
        case 'pay':
          return pay(step);
        case 'otherOrders':
          return payOthers(step.count);
        case 'webhook':
          return sendWebhook(step);
        case 'replay':
          return replay(step);
        case 'wait':
          return wait(step);
        case 'outage':
          return service.setOutage(step.on);
        case 'pause':
          return delay(step.ms, undefined, { signal });
      }
    };
    return { perform };
  }

  return {
    /** Returns why this run cannot meet a case's need, or undefined if it can. */
    findMissing(need: Need): string | undefined {
      const { cookie, authorization } = lowerNames(shoppers[0] ?? {});
      switch (need) {
        case 'nft':
          return nft ? undefined : 'needs an item for sale: --nft';
        case 'two shoppers':
          return shoppers.length >= 2 ? undefined : 'needs two shoppers: --headers';
        case 'cookies':
          return authorization && !cookie ? 'the shoppers have bearer tokens' : undefined;
        case 'locked wallet':
          return isLocked ? undefined : 'the wallet is not locked, so the shopper may change it';
      }
    },
    async run(steps: readonly Step[]): Promise<Pick<CaseResult, 'result' | 'why'>> {
      const { perform } = createScene();
      try {
        for (const step of steps) await perform(step);
        return { result: 'passed' };
      } catch (error) {
        if (error instanceof Difference) return { result: 'failed', why: error.message };
        if (error instanceof NotApplicable) return { result: 'skipped', why: error.message };
        throw error;
      } finally {
        service.setOutage(false);
      }
    },
    listCommonResults: common.list,
  };
}

const lowerNames = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const describeShopper = (as: Shopper): string =>
  ({ first: '', second: ' as another shopper', nobody: ' without a session' })[as];

function describeText(text: string): string {
  if (text.includes('.signature')) return 'a signature';
  if (text.includes('.')) return 'the wallet';
  return text.startsWith('{') ? 'the reference' : `"${text}"`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readCode({ text }: Reply): string | undefined {
  const body = parse(text) as { error?: { code?: unknown } } | null | undefined;
  const code = body?.error?.code;
  // The code is printed, so accept no arbitrary text from the backend.
  return typeof code === 'string' && /^ERR_[A-Z_]{1,60}$/.test(code) ? code : undefined;
}

function checkStatus(
  label: string,
  reply: Reply,
  statuses: readonly number[],
  advice?: string,
): void {
  if (statuses.includes(reply.status)) return;
  const code = readCode(reply);
  const got = code ? `${reply.status} ${code}` : reply.status;
  const more = advice ? `. ${advice}` : '';
  throw new Difference(`${label}: expected status ${statuses.join(' or ')}, got ${got}${more}`);
}

/** Skips the case if its route is optional and the backend does not have it. */
function checkPresence(label: string, { status }: Reply, isOptional = false): void {
  if (isOptional && (status === 404 || status === 405))
    throw new NotApplicable(
      `${label}: status ${status}, so the backend does not have this optional route`,
    );
}

function adviseOnRefusal(reply: Reply, origin: string): string | undefined {
  if (reply.status === 403 && readCode(reply) === 'ERR_ORIGIN_REFUSED')
    return `The request has the Origin ${origin}: allow the origin of SHOP_ORIGIN, or pass --origin`;
  if (reply.status === 401 || reply.status === 403)
    return 'Pass the headers of a signed-in shopper with --headers';
  return undefined;
}

/** Describes the first part of a body that is not as expected. */
function findDifferentPart(
  { json, entries = {}, decimals = {} }: Expectation,
  body: unknown,
): string | undefined {
  const difference = json && findDifferentValue(json, body, '');
  if (difference) return difference;
  for (const [name, part] of Object.entries(entries)) {
    const list = readPath(body, name);
    if (!Array.isArray(list)) return `${name} is not a list`;
    if (list.every((entry) => findDifferentValue(part, entry, '')))
      return `${name} has no entry with ${JSON.stringify(part)}`;
  }
  for (const [path, digits] of Object.entries(decimals)) {
    const value = readPath(body, path);
    if (typeof value !== 'string')
      return `${path} is ${value === undefined ? 'absent' : 'not text'}`;
    if (!new RegExp(`^\\d+\\.\\d{${digits}}$`).test(value))
      return `${path} does not keep the service's ${digits} decimals`;
  }
  return undefined;
}

const readPath = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], body);

/**
 * Describes the first value that differs. An object may contain extra fields, but a list may not contain extra entries.
 */
function findDifferentValue(expected: unknown, found: unknown, path: string): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return `${path} is not a list`;
    if (found.length !== expected.length)
      return `${path} has ${found.length} entries; expected ${expected.length}`;
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof found !== 'object' || found === null) return `${path || 'the body'} is absent`;
    for (const [name, value] of Object.entries(expected)) {
      const inner = path === '' ? name : `${path}.${name}`;
      const difference = findDifferentValue(value, (found as Record<string, unknown>)[name], inner);
      if (difference) return difference;
    }
    return undefined;
  }
  if (expected === found) return undefined;
  const isWord = typeof found === 'string' && /^[a-z-]{1,20}$/.test(found);
  return `${path} is ${found === undefined ? 'absent' : isWord ? found : 'another value'}; expected ${expected}`;
}

function findUnsignedName(widget: Widget, params: SignedParams): string | undefined {
  const known = new Set(getWidgetParameters(widget).map(({ name }) => name));
  const signed = new Set([...getSignedNames(widget), 'signature']);
  return Object.keys(params).find((name) => known.has(name) && !signed.has(name));
}

const isWalletLocked = ({ walletAddressLocked, walletAddressHidden }: SignedParams): boolean =>
  walletAddressLocked === '1' || walletAddressHidden === '1';

function signParams(
  widget: Widget,
  { signature: _, ...params }: SignedParams,
  { secretKey }: Pick<Service, 'secretKey'>,
): SignedParams {
  const text = buildWidgetPayload(widget, params);
  return { ...params, signature: createHmac('sha256', secretKey).update(text).digest('base64') };
}

/** Finds a request's route in the contract. */
const findRoute = (method = 'GET', path: string): Route | undefined =>
  routes.find(
    (route) =>
      route.method === method.toLowerCase() &&
      new RegExp(`^${route.path.replace('{reference}', '[^/?]+')}(\\?|$)`).test(path),
  );

/** Returns whether the browser may cache successful responses of a route. */
const mayBeCached = ({ successes }: Route): boolean =>
  successes.some(({ headers }) => headers?.includes('Cache-Control'));

/**
 * Returns the path of a field that does not match its schema. Absent fields are allowed here: the cases check the
 * fields that a page needs, and docs/http.md says which ones a backend may omit.
 */
function findMalformedField(schema: z.core.$ZodType, body: unknown): string | undefined {
  const { error } = z.safeParse(schema, body);
  return error?.issues
    .map(({ path }) => path.join('.'))
    .find((path) => readPath(body, path) !== undefined);
}

/**
 * Creates the check that every response goes through. Each rule is reported once, with the first response that breaks
 * it.
 */
function createCommonChecks() {
  const rules = [
    {
      id: 'error-body',
      title: 'responds to every error with a code and a message',
      advice: 'docs/http.md#errors describes the body of every error.',
      isBroken: (reply: Reply) =>
        reply.status >= 400 &&
        !z.safeParse(errorBodySchema, parse(reply.text)).success &&
        'the body is not an error body',
    },
    {
      id: 'fields',
      title: 'sends states and prices in the documented types and formats',
      advice: 'docs/http.md#openapi names the schema of every body.',
      isBroken: ({ status, text }: Reply, route?: Route) => {
        // Responses to other methods contain signed parameters, which the sandbox checks.
        if (route?.method !== 'get') return false;
        const schema = route.successes.find((success) => success.status === status)?.schema;
        const field = schema && findMalformedField(schema, parse(text));
        return field !== undefined && `${field} is not as documented`;
      },
    },
    {
      id: 'json',
      title: 'responds with JSON',
      advice: 'docs/http.md#all-routes: set Content-Type to application/json.',
      isBroken: ({ status, headers }: Reply) =>
        !/^application\/json\b/i.test(headers['content-type'] ?? '') &&
        status !== 204 &&
        status !== 304 &&
        'Content-Type is not application/json',
    },
    {
      id: 'headers',
      title: 'sends no-store and nosniff with every response',
      advice: 'docs/http.md#all-routes: a cache could show one shopper the checkout of another.',
      isBroken: ({ headers }: Reply, route?: Route) =>
        (!/\bno-store\b/.test(headers['cache-control'] ?? '') &&
          !(route && mayBeCached(route) && /\bprivate\b/.test(headers['cache-control'] ?? '')) &&
          'Cache-Control is not no-store') ||
        (headers['x-content-type-options'] !== 'nosniff' &&
          'X-Content-Type-Options is not nosniff'),
    },
  ];
  const broken = new Map<string, string>();
  return {
    check(label: string, reply: Reply, route?: Route): void {
      for (const { id, isBroken } of rules) {
        const why = isBroken(reply, route);
        if (why && !broken.has(id)) broken.set(id, `${label} with status ${reply.status}: ${why}`);
      }
    },
    *list(): Generator<CaseResult> {
      for (const { id, title, advice } of rules) {
        const why = broken.get(id);
        const shown = { id, subject: 'all responses', title };
        yield why ? { ...shown, result: 'failed', why, advice } : { ...shown, result: 'passed' };
      }
    },
  };
}
