import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installExample } from '../support/packaging/installExample.js';
import { runNode } from '../support/packaging/runNode.js';
import { type ChildServer, startChild } from '../support/shop/startChild.js';
import { node22 } from './node22.js';

interface Framework {
  /** The arguments of Node for the script `build`. */
  readonly build: readonly string[];
  /** The module that exports `ramp` and starts it. */
  readonly ramp: string;
}

/** The examples of frameworks that build a server and need Node 22. */
export const frameworks = {
  astro: { build: ['node_modules/astro/bin/astro.mjs', 'build'], ramp: 'src/ramp.ts' },
  'react-router': {
    build: ['node_modules/@react-router/dev/bin.cjs', 'build'],
    ramp: 'app/ramp.server.ts',
  },
  'tanstack-start': {
    build: ['node_modules/vite/bin/vite.js', 'build'],
    ramp: 'src/ramp.server.ts',
  },
} satisfies Record<string, Framework>;

/** The name of an example of a framework. */
export type FrameworkName = keyof typeof frameworks;

/** Builds an installed example, without the keys of the shop. */
export async function buildFramework(name: FrameworkName, folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' };
  await runNode([...frameworks[name].build], { cwd: folder, env, command: node22 });
}

interface StartOptions {
  /** The URL that responds with 2xx when the server is ready. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the script `start` of a built example. */
export async function startFramework(folder: string, options: StartOptions): Promise<ChildServer> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  // startChild sets the variables, so drop `node --env-file=.env`.
  const args = scripts.start.split(' ').slice(2);
  return startChild(args, { ...options, cwd: folder, command: node22 });
}

/** An example of a framework with another backend, built. */
interface FrameworkHost {
  /** Serves the built example, as its script `start` does. */
  start(options: StartOptions): Promise<ChildServer>;
  remove(): Promise<void>;
}

/**
 * Installs and builds an example of a framework that mounts another handler, with the route of the example.
 *
 * @param backend - The code of the module that takes the place of the example's backend. It exports `ramp`, whose
 * `handler` is a function of a Request. It runs in Node 22, when the server starts.
 */
export async function installFrameworkHost(
  name: FrameworkName,
  backend: string,
): Promise<FrameworkHost> {
  const { folder, remove } = await installExample(name);
  await writeFile(join(folder, frameworks[name].ramp), backend);
  await buildFramework(name, folder);
  return { start: (options) => startFramework(folder, options), remove };
}
