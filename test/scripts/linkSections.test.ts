import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findSections, linkSections } from '../../scripts/reference/linkSections.mjs';

const sections = findSections('## 4. Operations\n\n### 4.6 Orders\n\n### 4.7 Widget URL\n');

describe('linkSections', () => {
  it('links a section of the interface by its anchor', () => {
    expect(linkSections('The parameters (docs/service-interface.md\nsection 4.7).', sections)).toBe(
      'The parameters (service interface, section [4.7](../service-interface.md#47-widget-url)).',
    );
  });

  it('links each of several sections, and chapters', () => {
    expect(linkSections('See sections 4, 4.6 and 4.7.', sections)).toBe(
      'See sections [4](../service-interface.md#4-operations), [4.6](../service-interface.md#46-orders) and [4.7](../service-interface.md#47-widget-url).',
    );
  });

  it('leaves unknown sections and code unchanged', () => {
    const text = 'section 9.9\n\n```ts\n// section 4.7\n```\n';
    expect(linkSections(text, sections)).toBe(text);
  });

  it('finds the sections that the reference names', () => {
    const found = findSections(readFileSync('docs/service-interface.md', 'utf8'));
    expect([...found.keys()]).toEqual(expect.arrayContaining(['1', '2.6', '4.7', '5.3', '7']));
  });
});
