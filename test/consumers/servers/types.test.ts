import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../support/root.js';

const here = import.meta.dirname;

/** Compiles a project. Returns the errors. */
async function compile(project: string): Promise<string> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
    (error) => error,
  );
  return stdout;
}

describe('the types of the packed server entries', () => {
  it.each(['tsconfig.express4.json', 'tsconfig.express5.json', 'tsconfig.json'])(
    'compile with %s',
    async (config) => {
      expect(await compile(join(here, config))).toBe('');
    },
  );
});

describe('the examples of docs/hosts.md and docs/serverless.md', () => {
  const folder = join(here, '.output', 'docs');
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compile with the types of the frameworks themselves', async () => {
    const read = (guide: string) => readFile(join(root, 'docs', guide), 'utf8');
    const guides = await Promise.all(['hosts.md', 'serverless.md'].map(read));
    const examples = [...guides.join('\n').matchAll(/^```ts\n([\s\S]*?)^```/gm)]
      .map(([, code = '']) => code)
      .filter((code) =>
        /from '(?:@google-cloud|@nestjs|express|fastify|koa|serverless)/.test(code),
      );
    expect(examples).toHaveLength(7);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const compilerOptions = { experimentalDecorators: true, moduleDetection: 'force' };
    const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [index, code] of examples.entries())
      await writeFile(join(folder, `example${index}.ts`), code);
    expect(await compile(folder)).toBe('');
  });
});
