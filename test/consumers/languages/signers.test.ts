import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from './languages.js';
import { buildPageUrl, type Opening, openUrls, requestForgedUrls } from './openUrls.js';
import { runCommand } from './runCommand.js';
import { signingCases } from './signingCases.js';
import { runTasks } from './signTasks.js';
import { startDocumentedSandbox } from './startDocumentedSandbox.js';

const apiPaths = [
  'currency',
  'token?buyType=nft',
  'price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20',
];

for (const { language, reason, title } of languages) {
  describe.skipIf(reason)(`the example signer in ${title}`, () => {
    const temp = mkdtempSync(join(tmpdir(), 'ramp-signer-'));
    let sandbox: Awaited<ReturnType<typeof startDocumentedSandbox>> | undefined;
    let openings: Opening[];
    let requests: { url: string; headers: Readonly<Record<string, string>> }[];

    beforeAll(async () => {
      sandbox = await startDocumentedSandbox();
      const { keys } = sandbox;
      const apiUrls = apiPaths.map((path) => `${keys.baseUrl}/open/api/onramp/${path}`);
      const { widgetUrl, partnerId, secretKey, apiPrivateKey: privateKey } = keys;
      const results = await runTasks(language, temp, [
        ...signingCases.map(
          ({ params, extraSigned }) =>
            ({ do: 'sign', params: { ...params, ...extraSigned }, partnerId, secretKey }) as const,
        ),
        ...apiUrls.map((url) => ({ do: 'headers', url, partnerId, privateKey }) as const),
      ]);
      openings = signingCases.map(({ widget, unsigned }, i) => ({
        widget,
        url: buildPageUrl(widgetUrl, unsigned, results[i] ?? {}),
      }));
      requests = apiUrls.map((url, i) => ({
        url,
        headers: results[signingCases.length + i] ?? {},
      }));
    });

    afterAll(async () => {
      await sandbox?.close();
      rmSync(temp, { recursive: true, force: true });
    });

    test.each(language.checks)('passes $command $args', async (command) => {
      await runCommand(command);
    });

    test.each(['on-ramp', 'nft'])('signs 20 URLs that open: %s', async (widget) => {
      const chosen = openings.filter((opening) => opening.widget === widget);
      expect(chosen).toHaveLength(20);
      expect(await openUrls(chosen)).toEqual([]);
    });

    test('signs URLs that the service refuses with another nonce', async () => {
      expect(await requestForgedUrls(openings)).toEqual(Array(40).fill(403));
    });

    test('signs requests that the partner API accepts', async () => {
      expect(requests).toHaveLength(3);
      for (const { url, headers } of requests) {
        const body = await (await fetch(url, { headers })).json();
        expect(String(body.code), url).toBe('10000');
      }
    });
  });
}
