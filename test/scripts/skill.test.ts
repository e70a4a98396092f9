import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { doctor } from '../../src/cli/doctor.js';
import { explain } from '../../src/cli/explain.js';
import { sandbox } from '../../src/cli/sandbox.js';
import { root } from '../support/root.js';

const skill = readFileSync(join(root, 'skills/partner-ramp/SKILL.md'), 'utf8');
const commands: Readonly<Record<string, { help: string }>> = { doctor, explain, sandbox };

it('the skill names only guides that exist', () => {
  const guides = [...skill.matchAll(/`(docs\/[\w-]+\.md)`/g)].map(([, path = '']) => path);
  expect(guides.length).toBeGreaterThan(4);
  expect(guides.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('the skill uses only commands and options that exist', () => {
  const used = [...skill.matchAll(/npx @partner-ramp\/react (\w+)/g)].map(([, name = '']) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(commands)));
  const options = new Set([...skill.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option));
  expect([...options].filter((option) => !sandbox.help.includes(`${option} `))).toEqual([]);
});
