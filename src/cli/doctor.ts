import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { isRampError } from '../protocol/errors/isRampError.js';
import { parseServiceUrl } from '../protocol/parseServiceUrl.js';
import { isWebOrigin, suggestOrigin } from '../server/handler/allowedOrigins.js';
import { processRuntime, type Runtime } from '../server/internal/runtime.js';
import { type Command, UsageError } from './Command.js';
import { checkBackend } from './doctor/backend.js';
import { createMask, type Environment, readEnvironment } from './doctor/environment.js';
import { countFindings, formatFindings, formatJson } from './doctor/Finding.js';
import { createPeerLoader } from './doctor/peers.js';
import { checkService } from './doctor/service.js';
import { checkStore } from './doctor/store.js';
import { checkVersions } from './doctor/versions.js';
import { checkWebhook } from './doctor/webhook.js';

const help = `Usage: npx @partner-ramp/react doctor [--backend URL [--page ORIGIN]...] [OPTIONS]

Checks a shop before it goes live: its variables and keys, the clock, a signed call, prices and orders, the webhook
address, the backend, the database, the order tracker and the versions. It opens no checkout and writes nothing.

  --backend URL     the address at which the ramp handler is mounted
  --page ORIGIN     the origin of a page with the button, once for each; by default those of SHOP_ORIGIN
  --env-file FILE   reads variables from a .env file too; those of the environment take precedence
  --json            prints the findings as JSON

It reads the variables of the examples from the environment: RAMP_PARTNER_ID, RAMP_SECRET_KEY, RAMP_API_URL,
RAMP_API_PRIVATE_KEY, RAMP_WEBHOOK_PUBLIC_KEY, RAMP_WEBHOOK_URL, RAMP_WIDGET_URL, SHOP_ORIGIN, and DATABASE_URL
(PostgreSQL) or DATABASE_FILE (SQLite). No secret is an argument, and none is printed.

Exit code: 0 without a problem, 1 with one, 2 for wrong arguments. A warning does not change it.

Examples:

  npx @partner-ramp/react doctor --env-file .env
  npx @partner-ramp/react doctor --backend https://shop.example/api/ramp --page https://shop.example
  docker exec shop npx @partner-ramp/react doctor --json
`;

interface DoctorOptions {
  readonly runtime?: Runtime;
  /** The time limit for each request, connection and query, in milliseconds. @default 5000 */
  readonly limitMs?: number;
  readonly nodeVersion?: string;
}

/** `partner-ramp doctor`: checks a shop before it goes live. */
export const doctor: Command = createDoctor();

/** Creates the command with another clock, network or time limit, for tests. */
export function createDoctor({
  runtime = processRuntime,
  limitMs = 5000,
  nodeVersion = process.versions.node,
}: DoctorOptions = {}): Command {
  return {
    summary: 'check a shop before it goes live',
    help,
    async run(args, { print, cwd, signal, ...io }) {
      const { backend, pages, envFiles, json } = parseArguments(args);
      const env = readVariables(io.env, envFiles, cwd);
      const { shop, findings } = readEnvironment(env);
      const peers = createPeerLoader(cwd);
      const surroundings = { runtime, signal, limitMs };
      const checked = await Promise.all([
        findings,
        checkVersions(nodeVersion, peers),
        checkService(shop, surroundings),
        checkBackend(backend, pages ?? shop.origins, surroundings),
        checkWebhook(shop, surroundings),
        checkStore(shop, surroundings, { peers, cwd }),
      ]);
      const all = checked.flat();
      print(createMask(env)(json ? formatJson(all) : formatFindings(all)));
      return countFindings(all).problems > 0 ? 1 : 0;
    },
  };
}

function parseArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      backend: { type: 'string' },
      page: { type: 'string', multiple: true },
      'env-file': { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });
  const { backend, page: pages } = values;
  if (pages && backend === undefined)
    throw new UsageError('--page needs --backend URL, the address that the page calls.');
  const wrong = pages?.find((page) => !isWebOrigin(page));
  if (wrong !== undefined)
    throw new UsageError(`--page expects an exact origin. ${suggestOrigin(wrong)}`);
  return {
    backend: backend === undefined ? undefined : parseBackend(backend),
    pages,
    envFiles: values['env-file'],
    json: values.json,
  };
}

function parseBackend(url: string): string {
  try {
    return parseServiceUrl(url, '--backend');
  } catch (error) {
    throw isRampError(error) ? new UsageError(error.message) : error;
  }
}

/** Returns the variables from the environment and the files. As in Node.js, the environment takes precedence. */
function readVariables(env: Environment, files: readonly string[], cwd: string): Environment {
  const read = files.map((file) => {
    try {
      // Windows editors may start a file with a byte order mark, which would become part of the first name.
      return parseEnv(readFileSync(resolve(cwd, file), 'utf8').replace(/^\uFEFF/, ''));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`--env-file ${file} cannot be read (${code}). Correct the path.`);
    }
  });
  return Object.assign({}, ...read, env);
}
