import { Kysely, SqliteDialect } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { findNearestName } from '../../../src/protocol/findNearestName.js';
import { parseSandboxOptions } from '../../../src/sandbox/parseSandboxOptions.js';
import { toExpress } from '../../../src/server/express.js';
import {
  createOrderTracker,
  createPartnerApi,
  createWebhookVerifier,
  createWidgetSigner,
  memoryOrderStore,
} from '../../../src/server/index.js';
import { toNodeHandler } from '../../../src/server/node.js';
import { postgresPool, withTransaction } from '../../../src/server/sql/index.js';
import { createTestHandler } from '../../support/server/createTestHandler.js';
import { webhookPublicKey, webhookUrl } from '../../support/server/createWebhook.js';
import { fakeApi } from '../../support/server/setUpTrackers.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { apiPrivateKey: privateKey } = vectors.keys;
const makers: Readonly<Record<string, (more: object) => unknown>> = {
  createRampHandler: (more) => createTestHandler(more),
  createOrderTracker: (more) =>
    createOrderTracker({ api: fakeApi(), store: memoryOrderStore(), ...more }),
  createWebhookVerifier: (more) =>
    createWebhookVerifier({
      publicKey: webhookPublicKey,
      url: webhookUrl,
      replays: memoryOrderStore(),
      ...more,
    }),
  createPartnerApi: (more) =>
    createPartnerApi({ baseUrl: 'https://api.example', partnerId: 'p1', privateKey, ...more }),
  createWidgetSigner: (more) => createWidgetSigner({ partnerId: 'p1', secretKey: 'k', ...more }),
  toNodeHandler: (more) => toNodeHandler(createTestHandler(), more as never),
  toExpress: (more) => toExpress(createTestHandler(), more as never),
  postgresPool: (more) => postgresPool({ Pool: pg.Pool, ...more }),
  startSandbox: (more) => parseSandboxOptions(more),
};
const create = (name: string, more: object) => () => makers[name]?.(more);
const refusal = (message: RegExp) =>
  expect.objectContaining({
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringMatching(message),
  });

describe('an unknown option', () => {
  it.each([
    ['createRampHandler', 'getsubject', 'getSubject'],
    ['createRampHandler', 'webhook', 'webhooks'],
    ['createRampHandler', 'allowedOrigin', 'allowedOrigins'],
    ['createOrderTracker', 'onOrderChanges', 'onOrderChange'],
    ['createOrderTracker', 'pollSecond', 'pollSeconds'],
    ['createWebhookVerifier', 'toleranceSecond', 'toleranceSeconds'],
    ['createPartnerApi', 'timeoutMS', 'timeoutMs'],
    ['createWidgetSigner', 'secretKeys', 'secretKey'],
    ['toNodeHandler', 'contex', 'context'],
    ['toExpress', 'contxt', 'context'],
    ['postgresPool', 'onErrors', 'onError'],
    ['postgresPool', 'conectionTimeoutMillis', 'connectionTimeoutMillis'],
    ['startSandbox', 'webhookURL', 'webhookUrl'],
  ])('of %s is refused: %s, with the suggestion %s', (name, misspelt, meant) => {
    expect(create(name, { [misspelt]: 1 })).toThrow(
      refusal(new RegExp(`^${name} has no option ${misspelt}\\. Did you mean ${meant}\\?$`)),
    );
    // An unknown option is ignored if its value is undefined.
    expect(create(name, { [misspelt]: undefined })).not.toThrow();
  });

  it('of postgresPool is passed on to pg if it resembles none', () => {
    const options = {
      host: '127.0.0.1',
      port: 1,
      min: 0,
      user: 'u',
      keepAliveInitialDelayMillis: 1,
    };
    expect(create('postgresPool', options)).not.toThrow();
  });

  it.each(['createRampHandler', 'createOrderTracker', 'createWebhookVerifier', 'startSandbox'])(
    'of %s is refused with a list of its options',
    (name) => {
      expect(create(name, { whenPaid: 1 })).toThrow(
        refusal(new RegExp(`^${name} has no option whenPaid\\. It has \\w+, .*now`)),
      );
    },
  );

  it.each(['createPartnerApi', 'createWidgetSigner'])(
    'of %s is ignored if it resembles no option, so that one object can configure both',
    (name) => {
      expect(create(name, { widgetUrl: 'x', webhookPublicKey: 'x', close() {} })).not.toThrow();
    },
  );
});

describe('withTransaction', () => {
  const kysely = new Kysely({ dialect: new SqliteDialect({ database: {} as never }) });
  const work = async () => {};

  it('refuses a misspelt option', async () => {
    await expect(withTransaction(kysely, work, { limit: {} } as never)).rejects.toThrow(
      refusal(/^withTransaction has no option limit\. Did you mean limits\?$/),
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
