import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Command, UsageError } from '../../src/cli/Command.js';
import { runCli } from '../../src/cli/runCli.js';
import { createConfigError } from '../../src/protocol/errors/RampError.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const commandThat = (run: Command['run']) => ({
  greet: async () => ({ summary: 'say hello', help: 'Usage: greet\n', run }),
});
const run = async (args: string[], greet: Command['run'] = async () => 0) => {
  const io = fakeCommandIo();
  return { code: await runCli(commandThat(greet), args, io), output: io.output() };
};

describe('runCli', () => {
  it.each([
    [['--help'], 0],
    [['help'], 0],
    [[], 2],
  ])('with %j lists the commands', async (args, code) => {
    const result = await run(args);
    expect(result.code).toBe(code);
    expect(result.output).toContain('  greet  say hello\n');
  });

  it('prints the help of a command instead of running it', async () => {
    const result = await run(['greet', '--name', '--help'], async () => 1);
    expect(result).toEqual({ code: 0, output: 'Usage: greet\n' });
  });

  it('suggests the nearest command for a misspelt one', async () => {
    expect(await run(['gret'])).toEqual({
      code: 2,
      output: 'Unknown command "gret". Did you mean greet?\n',
    });
  });

  it('knows no command by the name of a property of every object', async () => {
    expect((await run(['constructor'])).code).toBe(2);
  });

  it('passes the exit code of the command on', async () => {
    expect((await run(['greet'], async () => 1)).code).toBe(1);
  });

  it.each([
    ['a wrong use', new UsageError('Write a name.'), 2, 'Write a name.'],
    ['an error with a code', createConfigError('x:', 'is wrong.'), 1, 'ERR_CONFIG_INVALID: '],
    ['another error', new Error('It broke.'), 1, 'It broke.\n'],
  ])('prints %s in one line', async (_, error, code, text) => {
    const result = await run(['greet'], async () => {
      throw error;
    });
    expect(result.code).toBe(code);
    expect(result.output).toContain(text);
    expect(result.output).not.toContain('    at ');
  });

  it('takes an unknown option for a wrong use', async () => {
    const result = await run(['greet', '--loud'], async (args) => {
      parseArgs({ args, options: {} });
      return 0;
    });
    expect(result.code).toBe(2);
    expect(result.output).toContain('--loud');
    expect(result.output).toContain('partner-ramp greet --help lists the options.');
  });
});
