import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ needsCookie: true });
});
afterAll(() => sandbox.close());

const send = (path: string, init?: RequestInit) => fetch(`${sandbox.widgetUrl}/home${path}`, init);
const post = (path: string, headers = {}) =>
  send(path, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json', ...headers },
  });

describe('A sandbox with needsCookie', () => {
  it('sets needsCookie in the page data', async () => {
    expect(await (await send('')).text()).toContain('"needsCookie":true');
  });

  it('sets a cookie for frames of other sites that is not partitioned', async () => {
    const [cookie = ''] = (await post('/sign-in')).headers.getSetCookie();
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    expect(await (await send('/sign-in')).json()).toEqual({ isSignedIn: false });
    const headers = { Cookie: cookie.replace(/;.*/, '') };
    expect(await (await send('/sign-in', { headers })).json()).toEqual({ isSignedIn: true });
    // With the cookie the request fails only because its session does not exist.
    expect((await post('/quote', headers)).status).not.toBe(403);
  });

  it.each(['/quote', '/orders'])('returns 403 for POST %s without the cookie', async (path) => {
    expect((await post(path)).status).toBe(403);
  });

  it('is not the default', async () => {
    const other = await startSandbox();
    expect((await fetch(`${other.widgetUrl}/home/sign-in`)).status).toBe(404);
    expect(await (await fetch(`${other.widgetUrl}/home`)).text()).not.toContain('needsCookie');
    await other.close();
    await expect(startSandbox({ needsCookie: 'yes' as never })).rejects.toThrow('needsCookie');
  });
});
