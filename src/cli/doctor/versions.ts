import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, ok, problem, warning } from './Finding.js';
import type { PeerLoader } from './peers.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** Compares Node.js and the installed peers with the ranges in package.json. A peer that is not installed is fine. */
export function checkVersions(
  nodeVersion: string,
  peers: Pick<PeerLoader, 'findVersion'>,
): Finding[] {
  const { name, version, engines, peerDependencies } = readManifest();
  const findings: Finding[] = [];
  if (!isInRange(nodeVersion, engines.node))
    findings.push(
      problem(
        'versions',
        `Node.js ${nodeVersion} is too old: this package needs ${engines.node}.`,
        'Install a newer Node.js.',
      ),
    );
  const installed = Object.entries(peerDependencies).flatMap(([peer, range]) => {
    const found = peers.findVersion(peer);
    return found === undefined ? [] : [{ peer, range, found }];
  });
  for (const { peer, range, found } of installed)
    if (!isInRange(found, range))
      findings.push(
        problem(
          'versions',
          `${peer} ${found} is installed, and this package needs ${range}.`,
          `Run npm install "${peer}@${range}" in the folder of the shop.`,
        ),
      );
  const own = peers.findVersion(name);
  if (own !== undefined && own !== version)
    findings.push(
      warning(
        'versions',
        `This command belongs to ${name} ${version}, but the shop uses ${own}.`,
        'Run it in the folder of the shop with npx --no-install.',
      ),
    );
  if (findings.length > 0) return findings;
  const versions = installed.map(({ peer, found }) => `${peer} ${found}`);
  return [
    ok('versions', `${[`Node.js ${nodeVersion}`, `${name} ${version}`, ...versions].join(', ')}.`),
  ];
}

/**
 * Reads this package's package.json, which has the same relative path from `src` and `dist`. The path is not written as
 * `new URL('…', import.meta.url)`, because Vite would bundle that as an asset.
 */
function readManifest(): Manifest {
  const here = dirname(fileURLToPath(import.meta.url));
  return JSON.parse(readFileSync(join(here, '../../../package.json'), 'utf8'));
}

/**
 * Returns whether a version is in a range. Supports the forms in package.json: `>=1.2`, `^1.2.3`, `^1.0.0 || ^2.0.0`.
 */
export function isInRange(version: string, range: string): boolean {
  const given = parseVersion(version);
  return range.split('||').some((part) => {
    const [, operator, text = ''] = /^(\^|>=)(.+)$/.exec(part.trim()) ?? [];
    const least = parseVersion(text);
    if (compare(given, least) < 0) return false;
    // `^` fixes every number up to the first that is not 0.
    const kept = least.findIndex((number) => number > 0) + 1;
    return operator === '>=' || compare(given.slice(0, kept), least.slice(0, kept)) === 0;
  });
}

const parseVersion = (text: string): number[] =>
  [0, 1, 2].map((index) => Number.parseInt(text.split('.')[index] ?? '0', 10));

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((number, index) => number - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
