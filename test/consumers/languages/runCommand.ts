import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from './Language.js';

/** Runs a command with `input` as its standard input and returns its output; rejects when it fails. */
export async function runCommand(
  { command, args, cwd, env }: Command,
  input = '',
): Promise<string> {
  const running = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } });
  // Ignore errors of the input: a command that fails early closes it, and then its own error is thrown below.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'));
  }
}

/** Returns the standard output of a command, or undefined if the command is not installed or fails. */
export function findCommandOutput(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
