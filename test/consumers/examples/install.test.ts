import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage } from '../../support/packaging/packPackage.js';
import { runNpm } from '../../support/packaging/runNode.js';
import { root } from '../../support/root.js';

const packed = '@partner-ramp/react';

/** `npm install --dry-run` resolves the dependencies with the manifests of npm's registry, and installs nothing. */
describe('npm install with the tarball', () => {
  let folder: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ramp-install-'));
    tarball = `file:${(await packPackage(folder)).filename}`;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Rejects with npm's error message, such as ERESOLVE, when the dependencies cannot be resolved. */
  async function install(manifest: object): Promise<string> {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
    return runNpm(['install', '--dry-run', '--prefer-offline', '--no-audit'], { cwd: folder });
  }

  it.each([
    ['4', '18'],
    ['4', '19'],
    ['5', '18'],
    ['5', '19'],
  ])('resolves with Express %s and React %s', async (express, react) => {
    const dependencies = { [packed]: tarball, express, react, 'react-dom': react };
    const output = await install({ dependencies });
    expect(output).toContain(`add ${packed} `);
    expect(output).not.toContain('@tanstack/react-query');
  });

  it('resolves with react-query 5, which only pages with prices need', async () => {
    const dependencies = { [packed]: tarball, react: '19', 'react-dom': '19' };
    const query = { '@tanstack/react-query': '5' };
    const output = await install({ dependencies: { ...dependencies, ...query } });
    expect(output).toContain('add @tanstack/react-query 5.');
  });

  it('refuses react-query 4, whose public interface prices cannot use', async () => {
    const dependencies = { [packed]: tarball, react: '19', 'react-dom': '19' };
    const query = { '@tanstack/react-query': '4' };
    await expect(install({ dependencies: { ...dependencies, ...query } })).rejects.toThrow(
      'ERESOLVE',
    );
  });

  it('refuses React 17', async () => {
    const dependencies = { [packed]: tarball, react: '17', 'react-dom': '17' };
    await expect(install({ dependencies })).rejects.toThrow('ERESOLVE');
  });

  it.each([
    'minimal',
    'next',
    'functions',
    'node-servers',
    'astro',
    'react-router',
    'siwe',
    'tanstack-start',
    'without-react',
  ])('resolves examples/%s', async (name) => {
    const file = join(root, 'examples', name, 'package.json');
    const { dependencies, devDependencies } = JSON.parse(await readFile(file, 'utf8'));
    expect(dependencies[packed]).toBe('^0.1.0');
    const manifest = { dependencies: { ...dependencies, [packed]: tarball }, devDependencies };
    expect(await install(manifest)).toContain(`add ${packed} 0.1.0`);
  });
});
