import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../support/root.js';
import { createTestHandler } from '../support/server/createTestHandler.js';

// The folder is inside the project, so that `@partner-ramp/react` resolves to the built package.
const folder = join(root, 'test/.output/apps-guide');
const opened: string[] = [];
const tokens: string[] = [];

interface Guide {
  openCheckout(widgetUrl: string, amount: string): Promise<string>;
  readCheckout(reference: string): Promise<{ progress: string }>;
}

/** Loads the code for React Native of docs/apps.md. Its token is valid only after it was renewed. */
async function loadGuide(): Promise<Guide> {
  const text = await readFile(join(root, 'docs/apps.md'), 'utf8');
  const block = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)]
    .map(([, code = '']) => code)
    .find((code) => code.includes('openBrowser')) as string;
  const code = block
    .replace(
      /^declare function openBrowser.*$/m,
      'const openBrowser = async (url) => page.open(url);',
    )
    .replace(
      /^declare function getToken.*$/m,
      'const getToken = async (renew) => page.token(renew);',
    );
  const script = await transformWithOxc(code, 'app.ts');
  const file = join(folder, 'app.mjs');
  await writeFile(file, `const page = globalThis.appsGuide;\n${script.code}`);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

beforeEach(() => mkdir(folder, { recursive: true }));
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the code for React Native opens a checkout with a renewed token, and reads its state', async () => {
  const handler = createTestHandler({ allowBearer: true });
  Object.assign(globalThis, {
    appsGuide: {
      open: (url: string) => opened.push(url),
      token(renew: boolean) {
        tokens.push(renew ? 'new' : 'old');
        return tokens.at(-1);
      },
    },
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const request = new Request(url, init);
    const isOld = request.headers.get('authorization') === 'Bearer old';
    expect(init?.credentials).toBe('omit');
    return isOld ? new Response('', { status: 401 }) : handler(request);
  });
  const { openCheckout, readCheckout } = await loadGuide();
  const reference = await openCheckout('https://pay.example', '100');
  const url = new URL(opened[0] as string);
  expect(url.origin + url.pathname).toBe('https://pay.example/home');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ amount: '100', ext: reference });
  expect((await readCheckout(reference)).progress).toBe('waiting');
  expect(tokens).toEqual(['old', 'new', 'old', 'new', 'old', 'new']);
});
