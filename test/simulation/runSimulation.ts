import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs `npm run simulate` in a process of its own, because a simulation replaces the timers of its process. */
export async function runSimulation(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
