import { expect, it } from 'vitest';
import { runNode } from '../support/packaging/runNode.js';
import { root } from '../support/root.js';

it.each([[['shop']], [['constructor']], [['print-shop', 'again']]])(
  'npm start refuses %j before it builds, and lists the examples',
  async (names) => {
    const run = runNode(['scripts/start.mjs', ...names], { cwd: root });
    await expect(run).rejects.toThrow(
      `npm start cannot run "${names.join(' ')}". It can run: server-example, print-shop.`,
    );
  },
);
