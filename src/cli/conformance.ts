import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Command, type CommandIo, UsageError } from './Command.js';
import { caseFiles, type ListedCase, readCases } from './conformance/cases.js';
import { createLoopbackClient, type LoopbackClient } from './conformance/loopbackClient.js';
import { type CaseResult, runCases } from './conformance/runCases.js';
import { startBackend } from './conformance/startBackend.js';
import { startService } from './conformance/startService.js';

const help = `Usage: npx @partner-ramp/react conformance --url URL [OPTIONS] [-- COMMAND [ARGUMENTS]]

Tests a backend in any language against docs/http.md. It starts a sandbox of its own, and drives your backend with it:
checkouts, forged requests, paid orders, lost and forged webhooks. The backend must be on this machine, and nothing else
is contacted.

  --url URL         where the routes are, such as http://127.0.0.1:8000/api/ramp
  -- COMMAND        starts the backend with the variables of the sandbox in its environment, and stops it at the end.
                    Without it, the variables are printed: start the backend with them in another terminal
  --headers FILE    the headers of two signed-in shoppers, as a JSON list of two objects. Without it, the requests have
                    no session, and the cases that need a stranger are skipped
  --nft NAME=VALUE  what the page proposes for an NFT that the shop sells, such as merchantUniqueId=print-7. Repeat it
                    for several parameters. Without it, the cases of NFTs are skipped
  --origin ORIGIN   the origin of the shop's pages, that of --url by default
  --webhook PATH    the path of the webhook route, that of --url with /webhook by default
  --only NAMES      the cases to run, by their names or those of their groups (${caseFiles.join(', ')}), separated by commas
  --quirks          makes the sandbox deviate from the documents as real services do
  --wait SECONDS    how long the backend may take to start, and to notice an order, 90 by default
  --json            prints the results as JSON

The backend reads these variables: PORT, SHOP_ORIGIN, RAMP_WIDGET_URL, RAMP_API_URL, RAMP_PARTNER_ID, RAMP_SECRET_KEY,
RAMP_API_PRIVATE_KEY, RAMP_WEBHOOK_PUBLIC_KEY, RAMP_WEBHOOK_URL, and RAMP_POLL_SECONDS (how often to read the order list
in this run). RAMP_WEBHOOK_URL leads to this command, which passes webhooks on, changed and forged too: verify them with
this address, as behind a proxy.

The exit code is 0 if no case failed, 1 if one did, and 2 for a wrong use.

Example:

  npx @partner-ramp/react conformance --url http://127.0.0.1:8000/api/ramp --headers shoppers.json -- python3 server.py
`;

const options = {
  url: { type: 'string' },
  headers: { type: 'string' },
  nft: { type: 'string', multiple: true },
  origin: { type: 'string' },
  webhook: { type: 'string' },
  only: { type: 'string' },
  quirks: { type: 'boolean' },
  wait: { type: 'string', default: '90' },
  json: { type: 'boolean' },
} as const;

/** `partner-ramp conformance`: tests a backend in any language against the HTTP contract. */
export const conformance: Command = {
  summary: 'test a backend in any language against the HTTP contract',
  help,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { url, json } = values;
    if (!url) throw new UsageError('Pass the address of your backend as --url.');
    checkPositionals(args, positionals);
    const waitSeconds = parseSeconds(values.wait);
    const cases = selectCases(values.only);
    const nft = parseItem(values.nft);
    const shoppers = await readShoppers(values.headers, io.cwd);
    const client = await createLoopbackClient(url);
    const webhookPath = values.webhook ?? `${client.basePath}/webhook`;
    if (!webhookPath.startsWith('/'))
      throw new UsageError('--webhook is a path, such as /hooks/ramp.');

    const service = await startService(client.url, values.quirks === true);
    let backend: Awaited<ReturnType<typeof startBackend>> | undefined;
    try {
      const { signal, cwd } = io;
      if (positionals.length > 0)
        backend = await startBackend({
          command: positionals,
          env: { ...io.env, ...service.variables },
          ...{ cwd, client, waitSeconds, signal },
        });
      else await waitForBackend(client, service.variables, io);
      const origin = values.origin ?? client.url.origin;
      const run = { client, service, shoppers, nft, origin, webhookPath, waitSeconds, signal };
      const results: CaseResult[] = [];
      for await (const result of runCases(cases, run)) {
        results.push(result);
        if (!json) io.print(formatResult(result));
      }
      const counts = countResults(results);
      if (json) io.print(`${JSON.stringify({ ...counts, cases: results }, null, 2)}\n`);
      else io.print(formatCounts(counts));
      if (counts.failed > 0 && backend?.output())
        io.warn(`The last output of the backend:\n${backend.output().trimEnd()}\n`);
      return counts.failed === 0 ? 0 : 1;
    } finally {
      await backend?.close();
      await service.close();
    }
  },
};

/** Accepts a command only after `--`, so that a stray value is never run as a program. */
function checkPositionals(args: readonly string[], positionals: readonly string[]): void {
  const at = args.indexOf('--');
  const command = at < 0 ? [] : args.slice(at + 1);
  if (positionals.length > command.length)
    throw new UsageError(
      'Write -- before the command of the backend. Any other argument is an option.',
    );
  if (at >= 0 && command.length === 0) throw new UsageError('Write a command after --.');
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 3600))
    throw new UsageError('--wait is a number of seconds from 1 to 3600.');
  return seconds;
}

/**
 * Selects cases by name or group. A case with `stops` always runs, because it protects backends that use other keys.
 */
function selectCases(only: string | undefined): ListedCase[] {
  const all = readCases();
  if (only === undefined) return all;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find(
    (name) => !all.some((each) => each.id === name || each.subject === name),
  );
  if (unknown !== undefined)
    throw new UsageError(`Unknown case ${JSON.stringify(unknown)} in --only.`);
  return all.filter(
    ({ id, subject, stops }) => stops || names.includes(id) || names.includes(subject),
  );
}

function parseItem(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  return (
    pairs &&
    Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        if (at < 1)
          throw new UsageError('--nft is NAME=VALUE, such as --nft merchantUniqueId=print-7.');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
    )
  );
}

const shoppersFile = z.array(z.record(z.string(), z.string())).check(z.minLength(1));

async function readShoppers(path: string | undefined, cwd: string) {
  if (path === undefined) return [{}];
  const file = resolve(cwd, path);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read.`, { cause });
  }
  try {
    return z.parse(shoppersFile, JSON.parse(text));
  } catch (cause) {
    throw new UsageError(
      `${file} must contain a JSON list with the headers of each shopper, such as [{ "Cookie": "session=a" }, { "Cookie": "session=b" }].`,
      { cause },
    );
  }
}

/** Prints the variables, then waits for the user to start the backend with them. */
async function waitForBackend(
  client: LoopbackClient,
  variables: Readonly<Record<string, string>>,
  { warn, signal }: CommandIo,
): Promise<void> {
  if (await client.isListening())
    throw new UsageError(
      `A program listens at ${client.url.host} already, and cannot have the keys of this run. Stop it, start this command, and then start it with the printed variables.`,
    );
  const lines = Object.entries(variables).map(
    ([name, value]) => `export ${name}='${value.trim()}'`,
  );
  warn(`Start the backend at ${client.url.host} with these variables:\n\n${lines.join('\n')}\n\n`);
  while (!(await client.isListening())) await delay(200, undefined, { signal });
}

const words = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' };

const formatResult = ({ id, title, result, why, advice }: CaseResult): string =>
  `${words[result]}  ${id.padEnd(22)}  ${why ? [why, advice].filter(Boolean).join('. ') : title}\n`;

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function countResults(results: readonly CaseResult[]): Counts {
  const count = (name: CaseResult['result']) =>
    results.filter(({ result }) => result === name).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped\n`;
