import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Sandbox } from '@partner-ramp/react/sandbox';
import { findFreePort } from '../../../scripts/ports.mjs';
import { listShopVariables } from '../../../src/sandbox/variables.js';
import { type ChildServer, startChild } from '../shop/startChild.js';

export interface RunningExample extends ChildServer {
  readonly url: string;
}

interface ExampleOptions {
  /** The script of package.json. @default 'dev' */
  readonly script?: string;
  /** Further arguments of the script. @default [] */
  readonly args?: readonly string[];
  /** The Node that runs it. @default the one of this process */
  readonly command?: string | undefined;
  /** The path of the page. @default '' */
  readonly path?: string;
}

/** Runs a script of an example on free ports. It starts the sandbox, the backend and the page. */
export async function startExample(
  folder: string,
  { script = 'dev', args: added = [], command = process.execPath, path = '' }: ExampleOptions = {},
): Promise<RunningExample> {
  const url = `http://localhost:${await findFreePort()}`;
  const { port } = new URL(url);
  // In an example with a Vite configuration, Vite serves the page, so the backend needs another port.
  const hasVite = existsSync(join(folder, 'vite.config.js'));
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const bin = join(folder, 'node_modules/.bin');
  const env = {
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    VITEST: '', // In Vitest, the development server of Astro has no pages.
    PATH: [bin, dirname(command), process.env.PATH].join(delimiter),
    PAGE_PORT: port,
    PORT: hasVite ? `${await findFreePort()}` : port,
    SHOP_ORIGIN: url,
  };
  // partner-ramp sandbox --webhook-url http://…:3000/… -- COMMAND
  const [, name = '', ...rest] = scripts[script].split(' ');
  const args = [
    'node_modules/@partner-ramp/react/dist/cli/index.js',
    ...[name, '--port', `${await findFreePort()}`],
    ...rest.map((arg: string) => arg.replace(':3000/', `:${env.PORT}/`)),
    ...added,
  ];
  return {
    url,
    ...(await startChild(args, { url: `${url}${path}`, env, cwd: folder, command })),
  };
}

/** Creates the variables that `.env.example` lists, for an example at `url` that uses the sandbox. */
export function createExampleEnvironment(sandbox: Sandbox, url: string) {
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    DATABASE_FILE: 'orders.db',
    ...listShopVariables(sandbox, url),
  } as const;
}
