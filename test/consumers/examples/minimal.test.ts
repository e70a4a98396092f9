import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buyInPage } from '../../support/packaging/buyInPage.js';
import { installExample } from '../../support/packaging/installExample.js';
import { type RunningExample, startExample } from '../../support/packaging/startExample.js';

describe('examples/minimal', () => {
  let example: Awaited<ReturnType<typeof installExample>>;
  let server: RunningExample | undefined;

  beforeAll(async () => {
    example = await installExample('minimal');
  });
  afterEach(() => server?.close());
  afterAll(() => example?.remove());

  it('sells with `npm run dev`, up to "Delivered", and logs the order', async () => {
    server = await startExample(example.folder);
    const { printed } = await buyInPage(server.url);
    expect(printed).toEqual([]);
    const lines = () => server?.logs().match(/^Delivered order \w+ to demo$/gm);
    await expect.poll(lines).toHaveLength(1);
    expect(server.logs()).not.toMatch(/error|warn|not found/i);
  });
});
