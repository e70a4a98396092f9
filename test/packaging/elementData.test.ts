import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RampButtonElement } from '../../src/element/RampButtonElement.js';
import { root } from '../support/root.js';

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const packageJson = readJson('package.json');

const manifest = readJson(packageJson.customElements);
const webTypes = readJson(packageJson['web-types']);
const vsCode = readJson('dist/element/html-custom-data.json');

const [declaration] = manifest.modules[0].declarations;
const [element] = webTypes.contributions.html.elements;
const [tag] = vsCode.tags;

interface Named {
  readonly name: string;
  readonly description: string;
  readonly fieldName?: string;
}

describe('the editor data of <ramp-button>', () => {
  it('names each property of the element that is an attribute too', () => {
    const accessors = Object.entries(
      Object.getOwnPropertyDescriptors(RampButtonElement.prototype),
    ).filter(([, { set }]) => set);
    const names = accessors.map(([name]) => name).filter((name) => name !== 'settings');
    const fields = declaration.attributes.map(({ fieldName }: Named) => fieldName);
    expect(fields.toSorted()).toEqual(names.toSorted());
  });

  it('has the same attributes for each editor, each with a description', () => {
    const names = declaration.attributes.map(({ name }: Named) => name);
    expect(names).toContain('wallet-address-locked');
    for (const attributes of [tag.attributes, element.attributes])
      expect(attributes.map(({ name }: Named) => name)).toEqual(names);
    for (const { description } of declaration.attributes) expect(description).toMatch(/\w{3}/);
  });

  it('names each event', () => {
    expect(declaration.events.map(({ name }: Named) => name).toSorted()).toEqual([
      'ramp-blocked',
      'ramp-closed',
      'ramp-failed',
      'ramp-loaded',
      'ramp-opened',
      'ramp-status-change',
    ]);
  });
});
