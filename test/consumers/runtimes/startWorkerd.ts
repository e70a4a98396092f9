import { writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';

/**
 * Bundles `worker.mjs` of a folder with the export conditions of workerd, as Wrangler does, and serves the bundle at
 * `url` in workerd.
 */
export async function startWorkerd(
  folder: string,
  url: string,
  variables: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const { build } = await import('esbuild');
  const program = createRequire(import.meta.url).resolve(
    '@cloudflare/workerd-linux-64/bin/workerd',
  );
  await build({
    entryPoints: [join(folder, 'worker.mjs')],
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // `pg` imports modules of Node.js without the prefix. @photostructure/sqlite is native, and not used here.
    external: ['node:*', 'cloudflare:*', '@photostructure/sqlite', 'pg-native', ...builtinModules],
    // `pg` is CommonJS. esbuild leaves its calls of `require` for modules of Node.js to the bundle.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire('/');`,
    },
    logLevel: 'silent',
  });
  await writeFile(join(folder, 'config.capnp'), configuration(new URL(url).host, variables));
  const args = ['serve', join(folder, 'config.capnp')];
  return startChild(args, { command: program, url, env: {}, isReady: () => true });
}

function configuration(address: string, variables: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "${address}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle.mjs")],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "loopback",
  bindings = [${bindings.join(', ')}],
);
`;
}
