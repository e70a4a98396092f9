import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckoutsResponse, ListedCheckout } from '../../../src/protocol/index.js';
import type { RampHandlerOptions } from '../../../src/server/handler/options.js';
import {
  type Checkout,
  memoryOrderStore,
  type OrderStore,
  RampError,
} from '../../../src/server/index.js';
import { sqliteDialect, sqlOrderStore } from '../../../src/server/sql/index.js';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';
import { getHeaderShopper } from '../../support/server/headerShopper.js';
import { baseTime, onRampCheckout, onRampOrder } from '../../support/server/orderFixtures.js';

interface SetUp extends Partial<RampHandlerOptions<unknown>> {
  readonly store?: OrderStore;
}

function setUp({ store = memoryOrderStore(), ...options }: SetUp = {}) {
  const handler = createTestHandler(
    { store, getShopper: getHeaderShopper, ...options },
    { now: () => baseTime * 1000 },
  );
  const list = (query = '', user = 'u1') =>
    callHandler(handler, {
      method: 'GET',
      path: `/api/ramp/checkouts${query}`,
      headers: { ...(user && { 'x-user': user }) },
    });
  const save = async (given: Partial<Checkout> = {}) => {
    const checkout = onRampCheckout(given);
    await store.saveCheckout(checkout);
    await store.markOpened(checkout.reference, baseTime);
  };
  return { store, handler, list, save };
}

const nothing = { checkouts: [], pollAfterSeconds: 3 };
const toReferences = ({ checkouts }: CheckoutsResponse) =>
  checkouts.map(({ reference }) => reference);

/** Lists all pages. `onPage` is called after each one. */
async function listAll(
  list: ReturnType<typeof setUp>['list'],
  limit: number,
  onPage: (page: CheckoutsResponse) => Promise<unknown> = async () => {},
): Promise<ListedCheckout[]> {
  const all: ListedCheckout[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const after: string = cursor && `&cursor=${cursor}`;
    const json: CheckoutsResponse = (await list(`?limit=${limit}${after}`)).json;
    expect(json.checkouts.length).toBeLessThanOrEqual(limit);
    all.push(...json.checkouts);
    await onPage(json);
    cursor = json.nextCursor;
  }
  return all;
}

describe('GET /checkouts', () => {
  it('lists the checkouts of the caller, newest first, as their states with a time', async () => {
    const { store, handler, list, save } = setUp();
    await save({ reference: 'old', createdAt: baseTime - 9 });
    await save({ reference: 'new', metadata: { secret: 1 }, proposal: { walletAddress: '0x1' } });
    await save({ reference: 'other', subject: 'u2' });
    await store.recordOrders([onRampOrder({ ext: 'new' })], baseTime);
    const { response, json } = await list();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const state = async (reference: string) => {
      const path = `/api/ramp/checkouts/${reference}`;
      const headers = { 'x-user': 'u1' };
      const { pollAfterSeconds: _, ...state } = (
        await callHandler(handler, { method: 'GET', path, headers })
      ).json;
      return state;
    };
    expect(json).toEqual({
      checkouts: [
        { ...(await state('old')), createdAt: baseTime - 9 },
        { ...(await state('new')), createdAt: baseTime - 600 },
      ],
      pollAfterSeconds: 3,
    });
    expect(JSON.stringify(json)).not.toMatch(/wallet|0x[aA1]|secret|u1|metadata|proposal|params/);
    expect(toReferences((await list('', 'u2')).json)).toEqual(['other']);
  });

  it('lists nothing to a caller who is not signed in or has no checkout', async () => {
    const { list, save } = setUp();
    await save();
    const anonymous = await list('', '');
    expect([anonymous.status, anonymous.json]).toEqual([200, nothing]);
    expect((await list('', 'u2')).json).toEqual(nothing);
    const nobody = setUp({ getShopper: async () => null });
    await nobody.save();
    expect((await nobody.list()).json).toEqual(nothing);
  });

  it('does not read the store for a caller who is not signed in', async () => {
    const store = memoryOrderStore();
    const calls = [vi.spyOn(store, 'listCheckouts'), vi.spyOn(store, 'findCheckout')];
    const { list } = setUp({ store });
    expect((await list('?cursor=x', '')).json).toEqual(nothing);
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  });

  it('neither lists unopened checkouts nor counts as opening them', async () => {
    const store = memoryOrderStore();
    const markOpened = vi.spyOn(store, 'markOpened');
    const { list } = setUp({ store });
    await store.saveCheckout(onRampCheckout());
    expect((await list()).json).toEqual(nothing);
    expect(markOpened).not.toHaveBeenCalled();
  });

  it('lists 20 checkouts by default and at most 50, with a cursor unless they are the last', async () => {
    const { list, save } = setUp();
    for (let i = 0; i < 51; i++) await save({ reference: `r${i}` });
    for (const [query, count] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=49', 49],
      ['?limit=50', 50],
    ] as const) {
      const { json } = await list(query);
      expect(json.checkouts).toHaveLength(count);
      expect(json.nextCursor).toMatch(/^[\w-]+$/);
      const rest = (await list(`?limit=50&cursor=${json.nextCursor}`)).json;
      expect(rest.checkouts).toHaveLength(Math.min(50, 51 - count));
      expect('nextCursor' in rest).toBe(51 - count > 50);
    }
  });

  const names = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`).join();
  const notALimit = 'must be a whole number from 0 to 50';
  const notAParameter = 'is not a parameter of this route';
  it.each([
    ['limit=00', 'limit', notALimit],
    ['limit=51', 'limit', notALimit],
    ['limit=100', 'limit', notALimit],
    ['limit=x', 'limit', notALimit],
    ['limit=', 'limit', notALimit],
    ['limit=-1', 'limit', notALimit],
    ['limit=1.5', 'limit', notALimit],
    ['limit=05', 'limit', notALimit],
    ['limit=1e1', 'limit', notALimit],
    ['limit=%2020', 'limit', notALimit],
    ['limit=5&limit=5', 'limit', 'appears twice'],
    ['open=1', 'open', notAParameter],
    ['references=a&references=b', 'references', 'appears twice'],
    [`references=${names(51)}`, 'references', 'may have at most 50 references'],
    ['limit=0&cursor=x', 'cursor', 'needs a limit above 0'],
    ['references=a&cursor=x', 'cursor', 'needs a limit above 0'],
    ['subject=u2', 'subject', notAParameter],
    ['__proto__=x', '__proto__', notAParameter],
  ])('refuses %s with an issue', async (query, param, issue) => {
    const { list } = setUp();
    const { status, json } = await list(`?${query}`);
    expect([status, json.error.code]).toEqual([400, 'ERR_PARAMS_INVALID']);
    expect(json.error.issues).toEqual([{ param, message: issue }]);
    expect(json.error.message).toBe(`The query was refused: ${param} ${issue}.`);
    // The query is checked first, so the response does not depend on the caller.
    expect((await list(`?${query}`, '')).status).toBe(400);
  });

  it('returns only own checkouts although the store returns those of every subject', async () => {
    const store = memoryOrderStore();
    const { save, list } = setUp({ store });
    await save({ reference: 'r1', subject: 'u2' });
    await save({ reference: 'r2' });
    const all = [await store.findCheckout('r1'), await store.findCheckout('r2')];
    const every = all.flatMap((one) => one ?? []);
    store.listCheckouts = async () => ({ newest: every, named: every });
    const { json } = await list('?limit=1&references=r1,r2');
    expect(toReferences(json)).toEqual(['r2']);
    expect(json.named).toMatchObject([{ reference: 'r2' }]);
  });

  it('reports a getShopper that returns a number as id', async () => {
    const onError = vi.fn();
    const { list } = setUp({ getShopper: () => ({ id: 42 }) as never, onError });
    const { status, json } = await list();
    expect([status, json.error.code]).toEqual([500, 'ERR_CONFIG_INVALID']);
    expect(onError).toHaveBeenCalledOnce();
  });

  it('responds with 500 when the store fails and 503 when it is busy, without its message', async () => {
    const failing = async (error: Error) => {
      const store = { ...memoryOrderStore(), listCheckouts: () => Promise.reject(error) };
      const { status, json } = await setUp({ store, onError: () => {} }).list();
      expect(JSON.stringify(json)).not.toMatch(/pg|10 connections/);
      return [status, json.error];
    };
    expect(await failing(new Error('pg: down'))).toEqual([
      500,
      {
        code: 'ERR_INTERNAL',
        message: 'The checkouts could not be read. Try again in a moment.',
      },
    ]);
    const busy = new RampError('ERR_TIMEOUT', 'All 10 connections were in use.');
    expect(await failing(busy)).toMatchObject([503, { code: 'ERR_TIMEOUT' }]);
  });
});

describe('the references of GET /checkouts', () => {
  const toNamed = ({ named = [] }: CheckoutsResponse) => named.map(({ reference }) => reference);

  it('name the checkouts whose states are returned, opened or not, without a list', async () => {
    const { store, list, save } = setUp();
    await save({ reference: 'listed' });
    await store.saveCheckout(onRampCheckout({ reference: 'unopened' }));
    await store.saveCheckout(onRampCheckout({ reference: 'paid' }));
    await store.recordOrders([onRampOrder({ ext: 'paid' })], baseTime);
    const { json } = await list('?references=paid,unopened');
    expect(json).toEqual({
      checkouts: [],
      named: expect.arrayContaining([
        { reference: 'unopened', widget: 'on-ramp', progress: 'waiting', orders: [] },
        expect.objectContaining({ reference: 'paid', progress: 'finished' }),
      ]),
      pollAfterSeconds: 3,
    });
    expect(json.named).toHaveLength(2);
    const both = (await list('?references=unopened&limit=5')).json;
    expect([toReferences(both), toNamed(both)]).toEqual([['paid', 'listed'], ['unopened']]);
  });

  it('name a checkout once, however often they repeat it', async () => {
    const { list, save } = setUp();
    await save();
    expect(toNamed((await list('?references=r1,r1,r1')).json)).toEqual(['r1']);
  });

  it.each([
    ['unknown', 'unknown'],
    ['of another subject', 'foreign'],
    ['of another subject, with an order', 'paid'],
    ['malformed', 'a%20b'],
    ['empty', ''],
    ['longer than a reference', 'x'.repeat(129)],
  ])('leave out a checkout that is %s, with the same response', async (_, reference) => {
    const { store, list, save } = setUp();
    await save({ reference: 'foreign', subject: 'u2' });
    await save({ reference: 'paid', subject: 'u2' });
    await store.recordOrders([onRampOrder({ ext: 'paid' })], baseTime);
    const { status, json } = await list(`?references=${reference}`);
    expect([status, json]).toEqual([200, { ...nothing, named: [] }]);
  });

  it('are empty for a caller who is not signed in, without a query of the store', async () => {
    const { store, list, save } = setUp();
    await save();
    const listCheckouts = vi.spyOn(store, 'listCheckouts');
    expect((await list('?references=r1', '')).json).toEqual({ ...nothing, named: [] });
    expect(listCheckouts).not.toHaveBeenCalled();
  });

  it('are read in one statement, with the list or without', async () => {
    const statements: string[] = [];
    const kysely = new Kysely({
      dialect: sqliteDialect(new DatabaseSync((await createSqliteDatabase()).target)),
      log: ({ query }) => void statements.push(query.sql),
    });
    onTestFinished(() => kysely.destroy());
    const { list, save, store } = setUp({ store: sqlOrderStore(kysely) });
    for (const reference of ['r1', 'r2', 'r3']) await save({ reference });
    await store.recordOrders([onRampOrder({ ext: 'r2' })], baseTime);
    for (const query of ['?references=r1,r2', '?references=r1,r2&limit=2', '?limit=2']) {
      statements.length = 0;
      expect((await list(query)).status).toBe(200);
      expect(statements).toHaveLength(1);
    }
  });
});

describe('the ETag of GET /checkouts', () => {
  it('is that of the whole body, and a request with it gets 304 without a body', async () => {
    const { store, handler, save } = setUp();
    await save();
    const poll = async (tag?: string) => {
      const path = '/api/ramp/checkouts?references=r1&limit=20';
      const headers = { 'x-user': 'u1', ...(tag && { 'if-none-match': tag }) };
      const { response, json } = await callHandler(handler, { method: 'GET', path, headers });
      return { status: response.status, json, tag: response.headers.get('etag') ?? '' };
    };
    const first = await poll();
    expect(first.tag).toMatch(/^"[\w-]{22}"$/);
    expect(await poll(first.tag)).toEqual({ status: 304, json: undefined, tag: first.tag });
    await store.recordOrders([onRampOrder()], baseTime);
    const changed = await poll(first.tag);
    expect([changed.status, changed.json.named[0].progress]).toEqual([200, 'finished']);
    expect(changed.tag).not.toBe(first.tag);
  });

  it('can be read by pages of other origins, as Retry-After can', async () => {
    const { list } = setUp();
    const { response } = await list();
    expect(response.headers.get('access-control-expose-headers')).toBe('ETag, Retry-After');
  });
});

describe('the cursor of GET /checkouts', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const ownTime = baseTime - 600;
  const own = encode(`${ownTime}.own`);
  const refusal = {
    error: {
      code: 'ERR_REQUEST',
      message:
        'The cursor does not belong to this list. Request the first page again, without a cursor.',
    },
  };
  const refusedCursors: readonly (readonly [string, string])[] = [
    ['of another subject', encode(`${ownTime}.foreign`)],
    ['of another subject with an order', encode(`${ownTime}.paid`)],
    ['of no checkout', encode(`${ownTime}.unknown`)],
    ['of an own checkout with another time', encode(`${ownTime - 1}.own`)],
    ['with a time in another spelling', encode(`0${ownTime}.own`)],
    ['without a time', encode('.own')],
    ['without a reference', encode(`${ownTime}.`)],
    ['with a reference of invalid characters', encode(`${ownTime}.a b`)],
    ['with a reference of 129 characters', encode(`${ownTime}.${'x'.repeat(129)}`)],
    ['with NUL', encode('\0.\0')],
    ['in another spelling', `${own}=`],
    ['with a character that base64url does not have', `${own.slice(0, 4)}*${own.slice(4)}`],
    ['that is a plain number', '20'],
    ['that is empty', ''],
    ['of 10,000 characters', 'x'.repeat(10_000)],
    ['of 10,000 encoded characters', encode(`${ownTime}.${'x'.repeat(7_488)}`)],
  ];

  async function setUpStatements() {
    const statements: string[] = [];
    const kysely = new Kysely({
      dialect: sqliteDialect(new DatabaseSync((await createSqliteDatabase()).target)),
      log: ({ query }) => void statements.push(query.sql),
    });
    onTestFinished(() => kysely.destroy());
    const shop = setUp({ store: sqlOrderStore(kysely) });
    await shop.save({ reference: 'own' });
    await shop.save({ reference: 'foreign', subject: 'u2' });
    await shop.save({ reference: 'paid', subject: 'u2' });
    await shop.store.recordOrders([onRampOrder({ ext: 'paid' })], baseTime);
    return { ...shop, statements };
  }

  it('continues after its checkout, also if that checkout is the last', async () => {
    const { list, save } = await setUpStatements();
    expect((await list(`?cursor=${own}`)).json).toEqual(nothing);
    await save({ reference: 'older', createdAt: ownTime - 1 });
    expect(toReferences((await list(`?cursor=${own}`)).json)).toEqual(['older']);
  });

  it('is refused with the same single statement, whether its checkout is missing or of another subject', async () => {
    const { list, statements } = await setUpStatements();
    const responses = new Set<string>();
    for (const [, cursor] of refusedCursors) {
      statements.length = 0;
      const { status, json } = await list(`?cursor=${encodeURIComponent(cursor)}`, 'u3');
      responses.add(JSON.stringify([status, json, statements]));
    }
    expect([...responses].map((one) => JSON.parse(one))).toEqual([
      [400, refusal, [expect.stringMatching(/"subject" = \?.*left join "ramp_orders"/)]],
    ]);
  });

  it.each(refusedCursors)('is refused if it is one %s', async (_, cursor) => {
    const store = memoryOrderStore();
    const findCheckout = vi.spyOn(store, 'findCheckout');
    const { list, save } = setUp({ store });
    await save({ reference: 'own' });
    await save({ reference: 'foreign', subject: 'u2' });
    const { status, json } = await list(`?cursor=${encodeURIComponent(cursor)}`);
    expect([status, json]).toEqual([400, refusal]);
    // The store gets only what has the format of a reference.
    expect(findCheckout.mock.lastCall?.[0]).toMatch(/^[\w.-]{1,128}$/);
    expect((await list(`?cursor=${own}`)).status).toBe(200);
  });

  it('is refused for the checkout of another subject although the store returns every checkout', async () => {
    const store = memoryOrderStore();
    const { findCheckout } = store;
    store.findCheckout = (reference) => findCheckout(reference);
    const { list, save } = setUp({ store });
    await save({ reference: 'foreign', subject: 'u2' });
    const cursor = encode(`${ownTime}.foreign`);
    expect((await list(`?cursor=${cursor}`)).json).toEqual(refusal);
    expect((await list(`?cursor=${cursor}`, 'u2')).status).toBe(200);
  });

  it('is refused for any text, and never fails', async () => {
    const { list, save } = setUp();
    await save({ reference: 'own' });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        for (const cursor of [text, encode(text)])
          expect((await list(`?cursor=${encodeURIComponent(cursor)}`)).status).toBe(400);
      }),
    );
  });

  it('leads to every checkout once, in order, while new ones are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
        async (ages, limit, additions) => {
          const { list, save } = setUp();
          for (const [i, age] of ages.entries()) {
            await save({ reference: `r${i}`, createdAt: baseTime - age });
            await save({ reference: `other${i}`, createdAt: baseTime - age, subject: 'u2' });
          }
          let pages = 0;
          const all = await listAll(list, limit, async () => {
            const count = additions[pages++ % additions.length] ?? 1;
            for (let i = 0; i < count; i++)
              await save({ reference: `new${pages}.${i}`, createdAt: baseTime + pages });
          });
          expect(pages).toBe(Math.max(1, Math.ceil(ages.length / limit)));
          const position = (one: ListedCheckout) => `${one.createdAt} ${one.reference}`;
          const expected = ages.map((age, i) => `${baseTime - age} r${i}`);
          expect(all.map(position)).toEqual(expected.sort().reverse());
        },
      ),
      { numRuns: 50 },
    );
  });
});
