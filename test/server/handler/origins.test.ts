import { describe, expect, it } from 'vitest';
import { callHandler, createTestHandler, origin } from '../../support/server/createTestHandler.js';

/** Creates a handler. `reports` has the messages of the errors passed to onError, and the test sets `clock`. */
function setUp() {
  const reports: string[] = [];
  const clock = { nowMs: 5000 };
  const handler = createTestHandler(
    { onError: (error) => reports.push((error as Error).message) },
    { monotonic: () => clock.nowMs },
  );
  const send = (from: string, method = 'POST') =>
    callHandler(handler, { method, headers: { origin: from } });
  return { reports, clock, send };
}

describe('the onError of the handler', () => {
  it('receives each refused origin once a minute', async () => {
    const { reports, clock, send } = setUp();
    for (let i = 0; i < 3; i++) await send('http://localhost:5173');
    await send('https://www.shop.example');
    expect(reports).toEqual([
      expect.stringMatching(/origin "http:\/\/localhost:5173" is refused.*allowedOrigins/),
      expect.stringMatching(/origin "https:\/\/www\.shop\.example" is refused/),
    ]);
    clock.nowMs += 60_000;
    await send('http://localhost:5173');
    expect(reports).toHaveLength(3);
  });

  it('receives the origin of a refused preflight, after which the browser sends no request', async () => {
    const { reports, send } = setUp();
    await send('https://www.shop.example', 'OPTIONS');
    expect(reports).toEqual([expect.stringContaining('"https://www.shop.example"')]);
  });

  it('receives nothing for an allowed origin, and nothing without an origin', async () => {
    const { reports, send } = setUp();
    await send(origin);
    await send('');
    expect(reports).toEqual([]);
  });

  it('receives words for a page without an origin, which allowedOrigins cannot list', async () => {
    const { reports, send } = setUp();
    await send('null');
    expect(reports).toEqual([expect.stringMatching(/origin "null" is refused.*sandboxed frame/)]);
  });

  it('receives a foreign header cut to a length, and only with printable characters', async () => {
    const { reports, send } = setUp();
    await send(`https://"a\u00e9${'b'.repeat(5000)}`);
    expect(reports[0]).toContain('"https://?a?bbb');
    expect(reports[0]).toContain('b…"');
    expect(reports[0]?.length).toBeLessThan(500);
  });

  it('receives an origin of 100 characters whole', async () => {
    const { reports, send } = setUp();
    const longest = `https://${'b'.repeat(92)}`;
    await send(longest);
    await send(`${longest}c`);
    expect(reports[0]).toContain(`"${longest}"`);
    expect(reports[1]).toContain(`"${longest}…"`);
  });

  it('receives the advice to list an origin, with the code ERR_ORIGIN_REFUSED', async () => {
    const errors: unknown[] = [];
    const handler = createTestHandler({ onError: (error) => errors.push(error) });
    await callHandler(handler, { headers: { origin: 'https://www.shop.example' } });
    expect(errors).toMatchObject([{ code: 'ERR_ORIGIN_REFUSED' }]);
    const { message } = errors[0] as Error;
    expect(message).toContain('If your pages have this origin, add it exactly as quoted');
    expect(message).not.toContain('sandboxed frame');
  });

  it('receives at most 20 origins a minute, however many are sent', async () => {
    const { reports, send } = setUp();
    for (let i = 0; i < 50; i++) await send(`https://${i}.example`);
    expect(reports).toHaveLength(20);
  });
});
