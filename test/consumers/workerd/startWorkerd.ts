import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startChild } from '../../support/demo/startChild.js';

const here = import.meta.dirname;

/** Bundles `worker.mjs` with the export conditions of workerd, and serves the bundle at `url` in workerd. */
export async function startWorkerd(
  url: string,
  variables: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const { build } = await import('esbuild');
  const program = createRequire(import.meta.url).resolve(
    '@cloudflare/workerd-linux-64/bin/workerd',
  );
  const folder = await mkdtemp(join(tmpdir(), 'ramp-workerd-'));
  await build({
    entryPoints: [join(here, 'worker.mjs')],
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['node:*'],
    logLevel: 'silent',
  });
  await writeFile(join(folder, 'config.capnp'), configuration(new URL(url).host, variables));
  const args = ['serve', join(folder, 'config.capnp')];
  const server = await startChild(args, { command: program, url, env: {} });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
