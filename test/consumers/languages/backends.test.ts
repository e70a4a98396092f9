import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';
import { languages } from './languages.js';
import { buildPageUrl, type Opening, openUrls, requestForgedUrls } from './openUrls.js';
import { refusals } from './refusals.js';
import { signingCases } from './signingCases.js';
import { startDocumentedSandbox } from './startDocumentedSandbox.js';

/** A signed-in shopper of the examples. */
const Cookie = 'session=demo-session-of-ann';

for (const { language, reason, title } of languages) {
  describe.skipIf(reason)(`the example backend in ${title}`, () => {
    const temp = mkdtempSync(join(tmpdir(), 'ramp-backend-'));
    let sandbox: Awaited<ReturnType<typeof startDocumentedSandbox>> | undefined;
    let backend: ChildServer | undefined;
    let checkouts: string;
    let widgetUrl: string;

    const post = (body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(checkouts, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Origin: new URL(checkouts).origin,
          Cookie,
          ...headers,
        },
        body: JSON.stringify(body),
      });

    beforeAll(async () => {
      sandbox = await startDocumentedSandbox();
      ({ widgetUrl } = sandbox.keys);
      const port = await findFreePort();
      const origin = `http://127.0.0.1:${port}`;
      checkouts = `${origin}/api/ramp/checkouts`;
      const { command, args, cwd, env } = await language.backend(port, temp, language.example);
      backend = await startChild(args, {
        command,
        cwd,
        url: checkouts,
        isReady: () => true,
        env: { ...listShopVariables(sandbox.keys, origin), ...env },
      });
    });

    afterAll(async () => {
      await backend?.close();
      await sandbox?.close();
      rmSync(temp, { recursive: true, force: true });
    });

    test('signs the values of its policy for 20 pages', async () => {
      const openings: Opening[] = [];
      for (const { widget, params: given, unsigned } of signingCases) {
        if (widget !== 'on-ramp') continue;
        // The reference is the backend's, so a page proposes no `ext`.
        const { ext: _, ...proposal } = given;
        const response = await post({ widget, params: proposal });
        expect(response.status).toBe(201);
        const { reference, params } = await response.json();
        expect(params.ext).toBe(reference);
        expect(params.walletAddress).not.toBe(given.walletAddress);
        openings.push({ widget, url: buildPageUrl(widgetUrl, unsigned, params) });
      }
      expect(openings).toHaveLength(20);
      expect(await openUrls(openings)).toEqual([]);
      expect(await requestForgedUrls(openings)).toEqual(Array(20).fill(403));
    });

    test.each(refusals)('refuses $title', async ({ body, headers, status, code }) => {
      const response = await post(body, headers);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: { code } });
    });
  });
}
