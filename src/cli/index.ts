#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCli } from './runCli.js';

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => interrupted.abort(new Error(`Stopped by ${name}.`)));

process.exitCode = await runCli(
  {
    sandbox: async () => (await import('./sandbox.js')).sandbox,
    keys: async () => (await import('./keys.js')).keys,
    explain: async () => (await import('./explain.js')).explain,
    doctor: async () => (await import('./doctor.js')).doctor,
    conformance: async () => (await import('./conformance.js')).conformance,
  },
  process.argv.slice(2),
  {
    print: (line) => void process.stdout.write(line),
    warn: (line) => void process.stderr.write(line),
    readInput: () => text(process.stdin),
    env: process.env,
    cwd: process.cwd(),
    signal: interrupted.signal,
  },
);
