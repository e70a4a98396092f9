import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Express } from 'express';
import { transformWithOxc } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../support/root.js';

/** Loads the Express app with rate limits of docs/security.md. Its handler always responds with 200. */
async function loadGuide(): Promise<Express> {
  const guide = await readFile(join(root, 'docs/security.md'), 'utf8');
  const block = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)]
    .map(([, code = '']) => code)
    .find((code) => code.includes('express-rate-limit')) as string;
  const code = block
    .replace(/^declare const ramp.*$/m, "const ramp = { handler: async () => new Response('ok') };")
    .replace(/^declare function getUserId.*$/m, 'const getUserId = () => undefined;');
  // The folder is inside the project, so that `@partner-ramp/react` resolves to the built package.
  const folder = join(root, 'test/.output/rate-limit-guide');
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'app.mjs');
  const script = await transformWithOxc(code, 'app.ts');
  await writeFile(file, `${script.code}\nexport { app };\n`);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)).app;
}

test('the rate limits of the guide count a path with dots as the handler routes it', async () => {
  const server = createServer(await loadGuide()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // get() sends the path unchanged. fetch() would resolve the dots before it sends the request.
  const request = async (path: string): Promise<number | undefined> => {
    const [response] = await once(get({ port, path: `/api/ramp${path}` }), 'response');
    return response.resume().statusCode;
  };
  const count = async (path: string, times: number) => {
    let refused = 0;
    for (let i = 0; i < times; i++) if ((await request(path)) === 429) refused++;
    return refused;
  };
  expect(await count('/quote', 300)).toBe(0);
  for (const path of ['/quote', '/checkouts/../quote', '/checkouts/%2e%2e/quote'])
    expect([path, await count(path, 5)]).toEqual([path, 5]);
  expect(await count('/checkouts/r1', 5)).toBe(0);
});
