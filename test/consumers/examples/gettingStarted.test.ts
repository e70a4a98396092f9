import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { root } from '../../support/root.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';

/** Returns the files of the guide by name. A file is the first code block after a line "Write `name`". */
async function readGuideFiles(): Promise<Map<string, string>> {
  const guide = await readFile(join(root, 'docs/getting-started.md'), 'utf8');
  const blocks = guide.matchAll(/^Write `([\w.]+)`[\s\S]*?^```\w+\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]));
}

describe('docs/getting-started.md', () => {
  let project: Awaited<ReturnType<typeof installExample>>;
  let server: ChildServer | undefined;

  beforeAll(async () => {
    // Remove the source files of the example, but keep its node_modules.
    project = await installExample('minimal');
    for (const file of ['index.html', 'server.js', 'src'])
      await rm(join(project.folder, file), { recursive: true });
  });
  afterEach(() => server?.close());
  afterAll(() => project?.remove());

  it('contains a page and a backend that sell, up to "Delivered" and the printed order', async () => {
    const files = await readGuideFiles();
    expect([...files.keys()]).toEqual(['index.html', 'main.tsx', 'server.js']);
    const [port, sandboxPort] = [`${await findFreePort()}`, `${await findFreePort()}`];
    for (const [name, code] of files)
      await writeFile(
        join(project.folder, name),
        code.replaceAll('3000', port).replaceAll('4010', sandboxPort),
      );
    const url = `http://localhost:${port}`;
    const env = { NODE_ENV: 'development' };
    server = await startChild(['server.js'], { url, env, cwd: project.folder });
    const { printed } = await buyInPage(url, 'Buy crypto');
    expect(printed).toEqual([]);
    await expect.poll(() => server?.logs().match(/^Deliver order \w+ to demo$/gm)).toHaveLength(1);
  });
});
