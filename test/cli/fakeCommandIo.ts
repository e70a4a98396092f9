import type { CommandIo } from '../../src/cli/Command.js';

/** Creates the inputs and outputs of a command. `output()` returns all text that it has written to either output. */
export function fakeCommandIo(
  io: Partial<CommandIo> & { input?: string } = {},
): CommandIo & { output(): string } {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  return {
    print: write,
    warn: write,
    readInput: async () => io.input ?? '',
    env: {},
    cwd: process.cwd(),
    signal: new AbortController().signal,
    ...io,
    output: () => output,
  };
}
