import { Kysely, SqliteDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { findNearestName } from '../../../src/protocol/findNearestName.js';
import {
  parseSandboxOptions,
  type SandboxOptions,
} from '../../../src/sandbox/parseSandboxOptions.js';
import { startSandbox } from '../../../src/sandbox/startSandbox.js';
import { toExpress } from '../../../src/server/express.js';
import {
  chooseWallet,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  findWalletIssue,
  type PartnerApiOptions,
  type RampOptions,
  type WebhookVerifierOptions,
  type WidgetSignerOptions,
} from '../../../src/server/index.js';
import {
  count,
  flag,
  matching,
  type OptionReader,
  partnerId,
  QUOTED,
  readOptions,
  seconds,
  setting,
} from '../../../src/server/internal/options.js';
import { toNodeHandler } from '../../../src/server/node.js';
import {
  migrateOrderStore,
  postgresPool,
  type SqlOptions,
  sqlOrderStore,
  withTransaction,
} from '../../../src/server/sql/index.js';
import { createTestBackend, signedWebhook } from '../../../src/testing/index.js';
import { addRampFixtures } from '../../../src/testing/playwright.js';
import { createTestHandler } from '../../support/server/createTestHandler.js';
import { createTestRamp } from '../../support/server/createTestRamp.js';
import { webhookPublicKey, webhookUrl } from '../../support/server/createWebhook.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { apiPrivateKey: privateKey } = vectors.keys;
const kysely = new Kysely({ dialect: new SqliteDialect({ database: {} as never }) });

/** For each type of option, values that are not of this type. */
const wrongValues = {
  text: [5, {}],
  number: ['5', true, 1.5, Number.NaN, -1],
  flag: ['true', 1],
  function: ['log', 5, {}],
  list: ['a', 5, {}],
  object: ['a', 5],
};
type Type = keyof typeof wrongValues;

/** The type of each option. An option inside another has a name such as `limits.lockMs`. */
type Types<Options> = { readonly [Name in keyof Options]-?: Type } & {
  readonly [inside: `${string}.${string}`]: Type;
};

interface Subject {
  /** Calls the function with its required options and the options `more`. */
  readonly call: (more: object) => unknown;
  readonly required?: readonly string[];
  readonly types: Readonly<Record<string, Type>>;
}

const sqlTypes = {
  dialect: 'text',
  limits: 'object',
  'limits.lockMs': 'number',
  'limits.statementMs': 'number',
  'limits.workMs': 'number',
} satisfies Types<SqlOptions>;

/** Adds the required option of `serverless` to an object of options of `createRamp`. */
const withSyncSecret = ({ serverless, ...more }: { serverless?: unknown }): object => ({
  ...more,
  ...(serverless !== undefined && {
    serverless:
      Object(serverless) === serverless
        ? { syncSecret: 'x'.repeat(32), ...(serverless as object) }
        : serverless,
  }),
});

/** The public functions that take options, and the type of each option. */
const subjects: Readonly<Record<string, Subject>> = {
  createRamp: {
    call: (more) => createTestRamp({ webhookUrl, webhookPublicKey, ...withSyncSecret(more) }),
    required: [
      ...['apiUrl', 'partnerId', 'secretKey', 'apiPrivateKey', 'store', 'allowedOrigins'],
      ...['getShopper', 'policy', 'deliver', 'review'],
    ],
    types: {
      apiUrl: 'text',
      partnerId: 'text',
      secretKey: 'text',
      apiPrivateKey: 'text',
      webhookPublicKey: 'text',
      webhookUrl: 'text',
      store: 'object',
      allowedOrigins: 'list',
      getShopper: 'function',
      policy: 'function',
      deliver: 'function',
      // The text 'log' is one of its values.
      review: 'object',
      deliverAt: 'text',
      serverless: 'object',
      'serverless.syncSecret': 'text',
      'serverless.waitUntil': 'function',
      'serverless.syncSeconds': 'number',
      basePath: 'text',
      allowBearer: 'flag',
      chains: 'object',
      checkoutSeconds: 'number',
      signatureSeconds: 'number',
      pollSeconds: 'number',
      maxPollSeconds: 'number',
      lookbackSeconds: 'number',
      fullSyncLookbackSeconds: 'number',
      retentionSeconds: 'number',
      pageSize: 'number',
      cryptoCurrenciesPath: 'text',
      signedWebhookBody: 'flag',
      onError: 'function',
    } satisfies Types<RampOptions>,
  },
  createWebhookVerifier: {
    call: (more) =>
      createWebhookVerifier({
        publicKey: webhookPublicKey,
        url: webhookUrl,
        ...more,
      }),
    required: ['publicKey', 'url'],
    types: {
      publicKey: 'text',
      url: 'text',
      toleranceSeconds: 'number',
      signedBody: 'flag',
    } satisfies Types<WebhookVerifierOptions>,
  },
  createPartnerApi: {
    call: (more) =>
      createPartnerApi({ baseUrl: 'https://api.example', partnerId: 'p1', privateKey, ...more }),
    required: ['baseUrl', 'partnerId', 'privateKey'],
    types: {
      baseUrl: 'text',
      partnerId: 'text',
      privateKey: 'text',
      version: 'text',
      cryptoCurrenciesPath: 'text',
      timeoutMs: 'number',
      maxTries: 'number',
      pageSize: 'number',
      onError: 'function',
      fetch: 'function',
    } satisfies Types<PartnerApiOptions>,
  },
  createWidgetSigner: {
    call: (more) => createWidgetSigner({ partnerId: 'p1', secretKey: 'k', ...more }),
    required: ['partnerId', 'secretKey'],
    types: {
      partnerId: 'text',
      secretKey: 'text',
    } satisfies Types<WidgetSignerOptions>,
  },
  toNodeHandler: {
    call: (more) => toNodeHandler(createTestHandler(), more as never),
    types: { context: 'function' },
  },
  toExpress: {
    call: (more) => toExpress(createTestHandler(), more as never),
    types: { context: 'function' },
  },
  sqlOrderStore: { call: (more) => sqlOrderStore(kysely, more), types: sqlTypes },
  migrateOrderStore: { call: (more) => migrateOrderStore(kysely, more), types: sqlTypes },
  withTransaction: {
    call: (more) => withTransaction(kysely, async () => {}, more),
    types: sqlTypes,
  },
  postgresPool: {
    call: (more) => postgresPool({ pg, ...more }),
    required: ['pg'],
    types: {
      pg: 'object',
      onError: 'function',
      max: 'number',
      connectionTimeoutMillis: 'number',
      maxLifetimeSeconds: 'number',
      keepAlive: 'flag',
      statement_timeout: 'number',
      query_timeout: 'number',
      lock_timeout: 'number',
      idle_in_transaction_session_timeout: 'number',
    },
  },
  startSandbox: {
    call: (more) => parseSandboxOptions(more),
    types: {
      port: 'number',
      now: 'function',
      toleranceSeconds: 'number',
      stepMs: 'number',
      settleMs: 'number',
      seed: 'text',
      state: 'text',
      latencyMs: 'number',
      apiFault: 'text',
      faultRate: 'number',
      extraSignedParams: 'list',
      consolePort: 'number',
      consoleHosts: 'list',
      host: 'text',
      quirks: 'object',
      'quirks.codeAsText': 'flag',
      'quirks.nonceLengths': 'flag',
      webhookUrl: 'text',
      needsCookie: 'flag',
      log: 'function',
      webhookFault: 'function',
    } satisfies Types<SandboxOptions>,
  },
};
const options = Object.entries(subjects).flatMap(([name, { call, required = [], types }]) =>
  Object.entries(types).map(([option, type]) => ({
    name,
    option,
    type,
    isRequired: required.includes(option),
    callWith: async (value: unknown, as = option) => call(toObject(as, value)),
  })),
);

/** Creates the options `{ limits: { lockMs: value } }` from `limits.lockMs`. */
const toObject = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const refusal = (message: RegExp) =>
  expect.objectContaining({
    name: 'RampError',
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(message),
  });

describe('every option of every public function', () => {
  it.each(options)(
    '$name refuses $option if it is misspelt',
    async ({ name, option, callWith }) => {
      const misspelt = `${option}x`;
      await expect(callWith(1, misspelt)).rejects.toThrow(
        refusal(new RegExp(`^${name} has no option ${misspelt}\\. Did you mean ${option}\\?$`)),
      );
    },
  );

  it.each(options.filter(({ isRequired }) => isRequired))(
    '$name requires $option',
    async ({ name, option, callWith }) => {
      for (const value of [undefined, null])
        await expect(callWith(value)).rejects.toThrow(mentioning(name, option));
    },
  );

  it.each(options)(
    '$name refuses another type of $option',
    async ({ name, option, type, callWith }) => {
      for (const value of wrongValues[type])
        await expect(callWith(value)).rejects.toThrow(mentioning(name, option));
    },
  );

  it.each(options.filter(({ type }) => type === 'number'))(
    '$name refuses text as $option, and names the conversion',
    async ({ callWith }) => {
      await expect(callWith('5')).rejects.toThrow(refusal(/It is text, not a number: .*Number\(/));
    },
  );
});

/** Matches a refusal that begins with `<function> … <option>` or with `<option> of <function>`. */
const mentioning = (name: string, option: string) =>
  refusal(new RegExp(`^(${name} .*\\b${option}\\b|${option} of ${name} )`));

describe('an unknown option', () => {
  // Leave out the functions that return a promise, because they would open the database.
  const synchronous = Object.keys(subjects).filter(
    (name) => name !== 'withTransaction' && name !== 'migrateOrderStore',
  );
  it.each(synchronous)('of %s counts as absent if it is undefined', (name) => {
    expect(() => subjects[name]?.call({ unknownOption: undefined })).not.toThrow();
  });

  const others: Readonly<Record<string, (options: never) => unknown>> = {
    chooseWallet: (options) => chooseWallet({}, {}, options),
    findWalletIssue: (options) => findWalletIssue('0x1', 'evm', options),
    startSandbox,
    createTestBackend,
    signedWebhook: (options) => signedWebhook({}, options),
    addRampFixtures: (options) => addRampFixtures({} as never, options),
  };
  it.each([
    ['createRamp', 'getshopper', 'getShopper'],
    ['createRamp', 'webhookURL', 'webhookUrl'],
    ['createRamp', 'delivers', 'deliver'],
    ['createPartnerApi', 'timeoutMS', 'timeoutMs'],
    ['createWebhookVerifier', 'publickey', 'publicKey'],
    ['createWidgetSigner', 'secretkey', 'secretKey'],
    ['chooseWallet', 'chain', 'chains'],
    ['findWalletIssue', 'chain', 'chains'],
    ['toNodeHandler', 'contexts', 'context'],
    ['toExpress', 'contexts', 'context'],
    ['sqlOrderStore', 'limit', 'limits'],
    ['migrateOrderStore', 'dialects', 'dialect'],
    ['withTransaction', 'limit', 'limits'],
    ['postgresPool', 'conectionTimeoutMillis', 'connectionTimeoutMillis'],
    ['startSandbox', 'webhookURL', 'webhookUrl'],
    ['createTestBackend', 'getshopper', 'getShopper'],
    ['signedWebhook', 'timeStamp', 'timestamp'],
    ['addRampFixtures', 'startshop', 'startShop'],
  ])('of %s is refused: %s, with the suggestion %s', async (name, misspelt, meant) => {
    const call = async () =>
      (others[name] ?? subjects[name]?.call)?.({ [misspelt]: 1 } as never) as unknown;
    await expect(call()).rejects.toThrow(
      refusal(new RegExp(`^${name} has no option ${misspelt}\\. Did you mean ${meant}\\?$`)),
    );
  });

  it.each(Object.keys(others))('of %s is refused if it resembles none', async (name) => {
    await expect((async () => others[name]?.({ whenPaid: 1 } as never))()).rejects.toThrow(
      refusal(new RegExp(`^${name} has no option whenPaid\\. It has \\w+`)),
    );
  });

  it('of postgresPool is passed on to pg if it resembles none', () => {
    const ofPg = { host: '127.0.0.1', port: 1, min: 0, user: 'u', keepAliveInitialDelayMillis: 1 };
    const pool = postgresPool({ pg, ...ofPg });
    expect(pool.options).toMatchObject(ofPg);
  });

  it.each(
    synchronous.filter(
      (name) => !['createRamp', 'createWidgetSigner', 'postgresPool'].includes(name),
    ),
  )('of %s is refused with a list of its options', (name) => {
    expect(() => subjects[name]?.call({ whenPaid: 1 })).toThrow(
      refusal(new RegExp(`^${name} has no option whenPaid\\. It has \\w+`)),
    );
  });

  it.each(['createRamp', 'createWidgetSigner'])(
    'of %s is ignored if it resembles no option, so that the result of startSandbox() can be spread',
    (name) => {
      const more = { widgetUrl: 'x', onramp: 'x', close() {} };
      expect(() => subjects[name]?.call(more)).not.toThrow();
    },
  );
});

describe('readOptions', () => {
  const read = (value: unknown, reader: OptionReader<unknown>) =>
    readOptions('open', { it: value }, { it: reader } as never) as { it: unknown };

  it.each<readonly [string, OptionReader<unknown>, unknown, unknown]>([
    ['a flag', flag(true), false, false],
    ['an absent flag', flag(true), undefined, true],
    ['a text that matches', matching(/^a+$/, 'the letter a', 'a'), 'aa', 'aa'],
    ['an absent text', matching(/^a+$/, 'the letter a', 'a'), null, 'a'],
    ['the least number', count({ byDefault: 5, least: 2, most: 9 }), 2, 2],
    ['the largest number', count({ byDefault: 5, least: 2, most: 9 }), 9, 9],
    ['the ID of a partner', partnerId, 'p1', 'p1'],
    ['a setting with one quotation mark', setting((value) => value), `"`, `"`],
    ['a setting with different quotation marks', setting((value) => value), `"p1'`, `"p1'`],
    ['a setting with letters at both ends', setting((value) => value), 'aba', 'aba'],
  ])('accepts %s', (_, reader, value, expected) => {
    expect(read(value, reader).it).toBe(expected);
  });

  it.each<readonly [string, OptionReader<unknown>, unknown, string]>([
    ['text as a flag', flag(true), 'true', 'open expects true or false as it.'],
    ['another text', matching(/^a+$/, 'the letter a', 'a'), 'b', 'open expects the letter a.'],
    [
      'a list of a text',
      matching(/^a+$/, 'the letter a', 'a'),
      ['a'],
      'open expects the letter a.',
    ],
    [
      'a number below the range',
      count({ byDefault: 5, least: 2, most: 9 }),
      1,
      'open expects a whole number from 2 to 9 as it.',
    ],
    ['a number without an upper limit', seconds(5), 0, 'open expects whole seconds from 1 as it.'],
    [
      'the ID of a partner with a space',
      partnerId,
      'p 1',
      'it of open must be letters, digits, dot, dash or underscore: the partner ID that was issued at onboarding.',
    ],
    [
      'an empty setting',
      setting((value) => value),
      ' ',
      'it of open is missing. Is its environment variable set?',
    ],
    [
      'a quoted setting with white space around it',
      setting((value) => value),
      ` 'p1'\n`,
      `it of open ${QUOTED}`,
    ],
  ])('refuses %s', (_, reader, value, message) => {
    expect(() => read(value, reader)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID', message }),
    );
  });
});

describe('options that are no object', () => {
  it.each<readonly [string, () => unknown, RegExp]>([
    [
      'the context of an adapter',
      () => toExpress(createTestHandler(), (() => 'u1') as never),
      /^toExpress expects \{ context \} as options\.$/,
    ],
    [
      'a dialect',
      () => sqlOrderStore(kysely, 'sqlite' as never),
      /^sqlOrderStore expects \{ dialect, limits \} as options\.$/,
    ],
    [
      'the class of a pool',
      () => postgresPool(pg.Pool as never),
      /^postgresPool expects \{ pg, onError, .*\} as options\.$/,
    ],
    ['a port', () => parseSandboxOptions(4010 as never), /^startSandbox expects \{ port, /],
  ])('are refused, such as %s', (_, call, message) => {
    expect(call).toThrow(refusal(message));
  });
});

describe('an adapter without a handler', () => {
  it.each([
    ['toNodeHandler', () => toNodeHandler(undefined as never)],
    ['toExpress', () => toExpress(undefined as never)],
  ])('is refused by %s', (name, call) => {
    expect(call).toThrow(refusal(new RegExp(`^${name} needs a handler`)));
  });
});

describe('a call of the partner API', () => {
  const api = createPartnerApi({
    baseUrl: 'https://api.example',
    partnerId: 'p1',
    privateKey,
    fetch: () => Promise.reject(new Error('A refused call sends no request.')),
  });
  const range = { startTime: 1, endTime: 2 };
  const drain = async (orders: AsyncIterable<unknown>) => {
    for await (const _ of orders);
  };

  it.each<readonly [string, () => Promise<unknown>, string]>([
    ['fiatCurrencies', () => api.fiatCurrencies({ maxTry: 1 } as never), 'maxTry is unknown'],
    [
      'cryptoCurrencies',
      () => api.cryptoCurrencies({}, { signals: 1 } as never),
      'signals is unknown: write signal.',
    ],
    ['orders', () => api.orders({ ...range, pages: 1 } as never), 'pages is unknown: write page.'],
    [
      'eachOrder',
      () => drain(api.eachOrder(range, { onMalform: () => {} } as never)),
      'onMalform is unknown: write onMalformed.',
    ],
    [
      'readOrders',
      () => api.readOrders(range, { maxRequests: 1, onPage() {}, onPages() {} } as never),
      'onPages is unknown: write onPage.',
    ],
    [
      'readOrders',
      () => api.readOrders(range, { maxRequests: '1', onPage() {} } as never),
      'maxRequests must be',
    ],
    ['quote', () => api.quote({} as never, { maxTries: '1' } as never), 'refused'],
  ])('refuses wrong options of %s', async (_, call, message) => {
    await expect(call()).rejects.toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('findNearestName', () => {
  it.each([
    ['polSeconds', 'pollSeconds'],
    ['POLLSECONDS', 'pollSeconds'],
    ['seconds', undefined],
    ['no', undefined],
    ['', undefined],
  ])('finds for %o: %o', (name, expected) => {
    expect(findNearestName(name, ['pollSeconds', 'now', 'api'])).toBe(expected);
  });
});
