import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from './Language.js';

/** Runs a command with `input` as its standard input and returns its output; rejects when it fails. */
export async function runCommand(
  { command, args, cwd, env }: Command,
  input = '',
): Promise<string> {
  const running = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } });
  // A command that fails early closes its input. The error of the command is reported, not the error of the input.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'));
  }
}

/** Returns the output of a command, or undefined when it is not installed or fails. */
export function findCommandOutput(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
