import { describe, expect, it, vi } from 'vitest';
import {
  addOpenedCheckout,
  addOpenWidget,
  getOpenedCheckouts,
} from '../../../src/client/pageCheckouts.js';
import { createPollingPage, listed } from './pollingPage.js';

const refusal =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: { code: 'ERR_REQUEST', message: 'no' } }, { status, headers });

describe('watchCheckout', () => {
  it('reports the first state and each change, and ends with a terminal state', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    const { reports } = watch('r1');
    await pass(1);
    expect(reports).toEqual(['waiting']);
    setState('r1', 'finished');
    await pass(3);
    expect(reports).toEqual(['waiting', 'finished']);
    await pass(3600);
    expect(polls.map(({ at, url }) => [at, url])).toEqual([
      [0, '/api/ramp/checkouts?references=r1'],
      [3, '/api/ramp/checkouts?references=r1'],
    ]);
  });

  it('asks for everything that a page watches with one request', async () => {
    const { watch, show, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    setState('r2');
    backend.list = [listed('r2'), listed('r1')];
    const watches = [watch('r2'), watch('r1'), watch('r1')];
    show(20);
    show(5);
    await pass(1);
    expect(polls.map(({ url }) => url)).toEqual(['/api/ramp/checkouts?references=r1,r2&limit=20']);
    expect(watches.map(({ reports }) => reports)).toEqual(Array(3).fill(['waiting']));
  });

  it('never has two polls in flight, however slow the backend is', async () => {
    const page = createPollingPage();
    page.backend.latencySeconds = 10;
    page.setState('r1');
    page.setState('r2');
    const first = page.watch('r1');
    await page.pass(5);
    const second = page.watch('r2');
    first.retry();
    await page.pass(60);
    expect(page.mostInFlight).toBe(1);
    expect(page.polls.slice(0, 3).map(({ at, references }) => [at, references])).toEqual([
      [0, ['r1']],
      [10, ['r1', 'r2']],
      [23, ['r1', 'r2']],
    ]);
    expect(second.reports).toEqual(['waiting']);
  });

  it('passes a known state to a later watcher at once', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    watch('r1');
    await pass(1);
    const later = watch('r1');
    await pass(0);
    expect([later.reports, polls.length]).toEqual([['waiting'], 1]);
  });

  it('polls at once for a checkout that nobody has watched meanwhile', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    setState('r2');
    watch('r1');
    const second = watch('r2');
    await pass(1);
    second.end();
    await pass(5);
    const count = polls.length;
    watch('r2');
    await pass(0);
    expect(polls.slice(count).map(({ references }) => references)).toEqual([['r1', 'r2']]);
  });

  it('stops with the last watch, in the middle of a request too', async () => {
    const page = createPollingPage();
    page.backend.latencySeconds = 2;
    page.setState('r1');
    const watches = [page.watch('r1'), page.watch('r1')];
    await page.pass(1);
    for (const watch of watches) watch.end();
    await page.pass(3600);
    expect(page.polls).toHaveLength(1);
    expect(page.isListening).toBe(false);
    expect(watches.map(({ reports }) => reports)).toEqual([[], []]);
  });

  it('sends the ETag only to a backend that has sent one, and only for the same question', async () => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    const { reports } = watch('r1');
    await pass(1);
    backend.hasTags = true;
    await pass(6);
    expect(polls.map(({ tag }) => tag !== null)).toEqual([false, false, true]);
    setState('r2');
    watch('r2');
    await pass(4);
    expect(polls.slice(3).map(({ tag }) => tag !== null)).toEqual([false, true]);
    setState('r1', 'finished');
    await pass(3);
    expect(reports).toEqual(['waiting', 'finished']);
  });

  it('ignores a state that is older than the known one', async () => {
    const { watch, setState, pass } = createPollingPage();
    const { reports } = watch('r1');
    for (const progress of ['finished', 'waiting', 'settlement', 'finished', 'settled'] as const) {
      setState('r1', progress, 'nft');
      await pass(3);
    }
    expect(reports).toEqual(['finished', 'settlement', 'settled']);
  });

  it('reports a checkout that the backend does not name as unknown, once and for all', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    addOpenedCheckout('/api/ramp', 'foreign');
    const mine = watch('r1');
    const foreign = watch('foreign');
    await pass(1);
    expect(foreign.reports).toEqual(['ERR_CHECKOUT_NOT_FOUND 404']);
    expect(getOpenedCheckouts('/api/ramp')).not.toContain('foreign');
    await pass(30);
    expect(foreign.reports).toHaveLength(1);
    expect(polls.at(-1)?.references).toEqual(['r1']);
    expect(mine.reports).toEqual(['waiting']);
    setState('foreign');
    foreign.retry();
    await pass(0);
    expect(foreign.reports).toEqual(['ERR_CHECKOUT_NOT_FOUND 404', 'ok', 'waiting']);
  });

  it('asks for at most 50 checkouts at a time, in turns', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    const references = Array.from({ length: 60 }, (_, i) => `r${i}`);
    for (const reference of references) setState(reference);
    const watches = references.map((reference) => watch(reference));
    await pass(3);
    expect(polls.map((poll) => poll.references.length)).toEqual([50, 50]);
    expect(watches.every(({ reports }) => reports.length === 1)).toBe(true);
  });

  it('does not stop for a watcher that throws', async () => {
    const { watch, setState, pass } = createPollingPage();
    setState('r1');
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const broken = watch('r1');
    broken.reports.push = () => {
      throw new Error('broken');
    };
    const { reports } = watch('r1');
    await pass(3);
    vi.unstubAllGlobals();
    expect(reports).toEqual(['waiting']);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('sends requests with the settings of the newest watcher', async () => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    let token = 'old';
    const own = () => ({ headers: () => ({ 'X-Token': token }) });
    watch('r1', { headers: () => ({ 'X-Token': 'first' }) });
    const second = watch('r1', own);
    await pass(1);
    token = 'new';
    await pass(3);
    second.end();
    await pass(3);
    expect(polls.map((poll) => poll.token)).toEqual(['old', 'new', 'first']);
  });

  it.each([
    ['another api', { api: 'https://other.example/ramp' }],
    ['other credentials', { credentials: 'include' }],
    ['other headers', { headers: { 'X-Token': 'b' } }],
  ] as const)('polls a backend with %s separately', async (_, settings) => {
    const { watch, setState, pass, polls } = createPollingPage();
    setState('r1');
    watch('r1');
    const other = watch('r1', settings);
    await pass(1);
    expect(polls).toHaveLength(2);
    other.end();
    await pass(3);
    expect(polls).toHaveLength(3);
  });

  it('reports a missing api', async () => {
    const { watch, pass, polls } = createPollingPage();
    const { reports } = watch('r1', { api: undefined });
    await pass(60);
    expect([reports, polls]).toEqual([['ERR_CONFIG_INVALID'], []]);
  });
});

describe('the schedule of a page', () => {
  /** Returns the seconds between the polls. */
  const pauses = (polls: readonly { readonly at: number }[]) =>
    polls.slice(1).map(({ at }, i) => Math.round(1000 * (at - (polls[i]?.at ?? 0))) / 1000);

  it('slows down after 3 minutes without news, until something happens', async () => {
    const { watch, setState, pass, polls, emit } = createPollingPage();
    setState('r1');
    watch('r1');
    await pass(600);
    const known = pauses(polls);
    expect(known.slice(0, 60)).toEqual(Array(60).fill(3));
    expect(known.slice(60, 62)).toEqual([3.75, 4.688]);
    expect(known.at(-1)).toBe(15);
    emit('focus');
    await pass(30);
    expect(pauses(polls).at(-1)).toBe(3);
    await pass(600);
    setState('r1', 'unconfirmed');
    await pass(30);
    expect(pauses(polls).at(-1)).toBe(3);
  });

  it('polls as rarely as the backend asks', async () => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    backend.pollAfterSeconds = 12;
    watch('r1');
    await pass(60);
    expect(polls.map(({ at }) => at)).toEqual([0, 12, 24, 36, 48, 60]);
  });

  it.each([undefined, 'soon', 0, -5])('takes %s for the shortest pause', async (pause) => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    backend.pollAfterSeconds = pause;
    watch('r1');
    await pass(6);
    expect(polls.map(({ at }) => at)).toEqual([0, 3, 6]);
  });

  it('polls at least once a minute, even if the backend sends milliseconds', async () => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    backend.pollAfterSeconds = 3000;
    watch('r1');
    await pass(60);
    expect(polls.map(({ at }) => at)).toEqual([0, 60]);
  });

  it('polls an active checkout every 15 seconds in a hidden tab, and at once when it is back', async () => {
    const page = createPollingPage();
    page.setState('r1');
    page.watch('r1');
    await page.pass(1);
    page.hide(true);
    await page.pass(44);
    expect(page.polls.map(({ at }) => at)).toEqual([0, 15, 30, 45]);
    page.page.random = 0.25;
    page.hide(false);
    await page.pass(1);
    expect(page.polls.at(-1)?.at).toBe(45.25);
  });

  it('polls no list in a hidden tab', async () => {
    const page = createPollingPage();
    page.page.isHidden = true;
    const { states } = page.show();
    await page.pass(3600);
    expect(page.polls).toEqual([]);
    page.hide(false);
    await page.pass(1);
    expect([page.polls.length, states.at(-1)?.data]).toEqual([1, []]);
  });

  it('polls an expired checkout for 10 minutes, and again when the shopper is back', async () => {
    const page = createPollingPage();
    page.setState('r1', 'expired');
    page.watch('r1');
    await page.pass(3600);
    expect(page.polls.map(({ at }) => at)).toEqual([
      0,
      ...Array.from({ length: 10 }, (_, i) => 60 * (i + 1)),
    ]);
    page.emit('focus');
    await page.pass(0);
    expect(page.polls).toHaveLength(12);
  });

  it('polls at once when the last widget is closed', async () => {
    const page = createPollingPage();
    page.setState('r1');
    const widget = { isWindow: false, isOpen: () => true, focus() {} };
    const close = addOpenWidget('r1', widget);
    page.watch('r1');
    await page.pass(1);
    close();
    await page.pass(0);
    expect(page.polls.map(({ at }) => at)).toEqual([0, 1]);
  });

  it.each([
    ['waiting', 4],
    ['expired', 1],
    ['review', 1],
    ['settled', 1],
  ] as const)('polls a list as its entries need it: %s', async (progress, polls) => {
    const page = createPollingPage();
    page.backend.list = [{ ...listed('r1'), progress }];
    page.show();
    await page.pass(10);
    expect(page.polls).toHaveLength(polls);
  });

  it('sends as many requests as the guide says', async () => {
    const waiting = createPollingPage();
    waiting.backend.list = [listed('r1')];
    waiting.setState('r1');
    waiting.watch('r1');
    waiting.show();
    await waiting.pass(600);
    const hidden = createPollingPage();
    hidden.page.isHidden = true;
    hidden.setState('r1');
    hidden.watch('r1');
    hidden.show();
    await hidden.pass(3600);
    const history = createPollingPage();
    history.show();
    await history.pass(3600);
    const counts = {
      'ten minutes of waiting': waiting.polls.length,
      'an hour of waiting in a hidden tab': hidden.polls.length,
      'an hour with a history': history.polls.length,
    };
    expect(counts).toEqual({
      'ten minutes of waiting': 92,
      'an hour of waiting in a hidden tab': 241,
      'an hour with a history': 181,
    });
  });
});

describe('a page whose requests fail', () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));

  it('retries the first failure silently, reports the next, and recovers', async () => {
    const { watch, show, setState, pass, polls, backend, logs } = createPollingPage();
    setState('r1');
    const { reports } = watch('r1');
    const { states } = show();
    await pass(1);
    backend.respond = lost;
    await pass(2);
    expect(reports).toEqual(['waiting']);
    await pass(2);
    expect(reports).toEqual(['waiting', 'ERR_NETWORK']);
    expect(states.at(-1)).toMatchObject({ error: { code: 'ERR_NETWORK' }, data: [] });
    await pass(12);
    expect(polls.map(({ at }) => at)).toEqual([0, 3, 5, 9, 17]);
    backend.respond = undefined;
    await pass(16);
    expect([reports.at(-1), logs]).toEqual(['ok', ['ERR_NETWORK']]);
    expect(states.at(-1)?.error).toBeUndefined();
  });

  it('waits as long as Retry-After says', async () => {
    const { watch, setState, pass, polls, backend, emit } = createPollingPage();
    setState('r1');
    backend.respond = refusal(429, { 'Retry-After': '40' });
    const { reports } = watch('r1');
    await pass(1);
    backend.respond = undefined;
    emit('online');
    await pass(39);
    expect(polls).toHaveLength(1);
    await pass(4);
    expect(polls).toHaveLength(2);
    expect(reports).toEqual(['waiting']);
  });

  it('waits until the date of Retry-After', async () => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    const date = () => new Date(Date.now() + 120_000).toUTCString();
    backend.respond = () => refusal(503, { 'Retry-After': date() })();
    watch('r1');
    await pass(100);
    expect(polls).toHaveLength(1);
    backend.respond = undefined;
    await pass(60);
    expect(polls.length).toBeGreaterThan(1);
  });

  it('polls at once when it is online again', async () => {
    const { watch, setState, pass, polls, backend, emit, page } = createPollingPage();
    setState('r1');
    backend.respond = lost;
    watch('r1');
    await pass(300);
    const count = polls.length;
    backend.respond = undefined;
    page.random = 0.5;
    emit('online');
    await pass(0.5);
    expect(polls).toHaveLength(count + 1);
  });

  it.each([
    ['a request that is refused', refusal(404), 'ERR_REQUEST 404'],
    [
      'a policy that refuses',
      () =>
        Response.json({ error: { code: 'ERR_POLICY_REFUSED', message: 'no' } }, { status: 403 }),
      'ERR_POLICY_REFUSED 403',
    ],
  ])('stops after %s, until retry', async (_, respond, report) => {
    const { watch, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    backend.respond = respond;
    const { reports, retry } = watch('r1');
    await pass(3600);
    expect([reports, polls.length]).toEqual([[report], 1]);
    backend.respond = undefined;
    retry();
    await pass(1);
    expect(reports).toEqual([report, 'ok', 'waiting']);
  });

  it.each([
    ['another server', () => new Response('<html>', { status: 502 })],
    ['a response without the named states', () => Response.json({ checkouts: [] })],
    ['a response with a malformed state', () => Response.json({ checkouts: [], named: [{}] })],
    ['a list with a malformed entry', () => Response.json({ checkouts: [null], named: [] })],
  ])('retries after %s, and prints it at once', async (_, respond) => {
    const { watch, pass, polls, backend, logs } = createPollingPage();
    backend.respond = respond;
    const { reports } = watch('r1');
    await pass(1);
    expect([reports, logs]).toEqual([[], ['ERR_RESPONSE_INVALID']]);
    await pass(2);
    expect(reports).toEqual([expect.stringMatching(/^ERR_RESPONSE_INVALID/)]);
    expect(polls).toHaveLength(2);
  });

  it('shows states of a backend that has no list', async () => {
    const page = createPollingPage();
    page.setState('r1');
    const answer = page.backend;
    answer.respond = ({ limit }) =>
      limit > 0
        ? refusal(404)()
        : Response.json({
            checkouts: [],
            named: [...answer.states.values()],
            pollAfterSeconds: 3,
          });
    const { reports } = page.watch('r1');
    const { states } = page.show();
    await page.pass(1);
    expect(states.at(-1)?.error).toMatchObject({ code: 'ERR_REQUEST', status: 404 });
    expect(reports).toEqual(['waiting']);
    await page.pass(6);
    expect(page.polls.map(({ limit }) => limit)).toEqual([20, 0, 0, 0]);
  });
});

describe('watchHistory', () => {
  it('shows each state as soon as a watched checkout has it', async () => {
    const { watch, show, setState, pass, backend } = createPollingPage();
    setState('r1');
    backend.list = [listed('r1')];
    watch('r1');
    const history = show();
    await pass(1);
    expect(history.lines).toEqual(['r1 waiting']);
    // The list comes from a replica that lags behind.
    setState('r1', 'finished');
    await pass(3);
    expect(history.lines).toEqual(['r1 finished']);
  });

  it('polls at once if a checkout with an order is missing in the list', async () => {
    const { watch, show, setState, pass, polls, backend } = createPollingPage();
    setState('r1');
    watch('r1');
    const history = show();
    await pass(1);
    setState('r1', 'finished');
    backend.respond = () => {
      backend.respond = undefined;
      backend.list = [listed('r1', 'finished')];
      return Response.json({ checkouts: [], named: [{ ...backend.states.get('r1') }] });
    };
    await pass(2);
    expect(polls.map(({ at }) => at)).toEqual([0, 3, 3]);
    expect(history.lines).toEqual(['r1 finished']);
    await pass(10);
    expect(polls).toHaveLength(3);
  });

  it('loads older checkouts, and refreshes as many as are loaded', async () => {
    const { show, pass, polls, backend } = createPollingPage();
    backend.list = Array.from({ length: 5 }, (_, i) => listed(`r${i + 1}`, 'settled'));
    const history = show(2);
    await pass(0);
    expect(history.states.at(-1)).toMatchObject({ hasMore: true, isLoadingMore: false });
    history.loadMore();
    await pass(0);
    history.loadMore();
    await pass(0);
    expect(history.lines).toHaveLength(5);
    expect(history.states.at(-1)?.hasMore).toBe(false);
    backend.list = [listed('r0', 'settled'), ...backend.list];
    await pass(20);
    expect(polls.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=2',
      'limit=2&cursor=2',
      'limit=2&cursor=4',
      'limit=5',
    ]);
    // The last checkout stays, because the shopper may be paying in its entry.
    expect(history.lines?.map((line) => line.slice(0, 2))).toEqual('r0,r1,r2,r3,r4,r5'.split(','));
  });

  it('shares one list between a long and a short history', async () => {
    const { show, pass, polls, backend } = createPollingPage();
    backend.list = Array.from({ length: 5 }, (_, i) => listed(`r${i + 1}`));
    const long = show(4);
    const short = show(1);
    await pass(1);
    expect([long.lines?.length, short.lines?.length, polls.length]).toEqual([4, 1, 1]);
    short.loadMore();
    await pass(0);
    expect([short.lines?.length, polls.length]).toEqual([2, 1]);
    long.end();
    await pass(20);
    expect(polls.at(-1)?.limit).toBe(2);
  });

  it('shows a known list to a history that comes later', async () => {
    const { show, pass, polls, backend } = createPollingPage();
    backend.list = [listed('r1')];
    show();
    await pass(1);
    const later = show();
    await pass(0);
    expect([later.lines, polls.length]).toEqual([['r1 waiting'], 1]);
  });
});
