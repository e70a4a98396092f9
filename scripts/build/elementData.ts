import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getWidgetParameters } from '../../src/protocol/index.js';

const guide = 'docs/without-react.md';
const folder = 'dist/element';
const tag = 'ramp-button';
const summary =
  'A button that opens the on-ramp checkout. Its content is the label. Your backend signs the checkout if `api` is set.';
const reference = `https://github.com/partner-ramp/react/blob/HEAD/${guide}`;

/** The attributes that accept only certain values. */
const values: Readonly<Record<string, readonly string[]>> = {
  display: ['modal', 'inline', 'window', 'redirect', 'auto'],
};
/** The boolean attributes. */
const flags = new Set(['disabled', 'watch']);

interface Attribute {
  readonly name: string;
  readonly property: string;
  readonly description: string;
  readonly isFlag: boolean;
}

/** Returns the first table in a section of the guide, row by row, with each cell as plain text. */
function readTable(heading: string): readonly (readonly string[])[] {
  const section = readFileSync(guide, 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  const rows = section
    ?.match(/(?:^\|.*\|\n)+/m)?.[0]
    .trim()
    .split('\n')
    .slice(2);
  if (!rows) throw new Error(`${guide} has no table under "${heading}".`);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')),
  );
}

const unquote = (cell = '') => cell.replaceAll('`', '');
const toKebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Lists the attributes of `<ramp-button>`: first those that the guide lists, then the widget's parameters. */
export function listAttributes(): readonly Attribute[] {
  const own = readTable('Attributes and properties')
    .map(([attribute, property, description = '']) => ({
      name: unquote(attribute),
      property: unquote(property),
      description,
      isFlag: flags.has(unquote(attribute)),
    }))
    .filter(({ name }) => name !== '' && !name.startsWith('data-'));
  const parameters = getWidgetParameters('on-ramp')
    .filter(({ signed, name }) => signed !== 'result' && !['timestamp', 'nonce'].includes(name))
    .map(({ name, description, format }) => ({
      name: toKebab(name),
      property: name,
      description,
      isFlag: format === 'flag',
    }));
  return [...own, ...parameters];
}

/** Lists the events of `<ramp-button>` and what each one means. */
export const listEvents = () =>
  readTable('Events').map(([name, description = '']) => ({ name: unquote(name), description }));

/** Describes the element for analyzers: https://github.com/webcomponents/custom-elements-manifest */
function createManifest() {
  const attributes = listAttributes();
  return {
    schemaVersion: '2.1.0',
    modules: [
      {
        kind: 'javascript-module',
        path: `${folder}/index.js`,
        declarations: [
          {
            kind: 'class',
            customElement: true,
            name: 'RampButtonElement',
            tagName: tag,
            summary,
            superclass: { name: 'HTMLElement' },
            attributes: attributes.map(({ name, property, description, isFlag }) => ({
              name,
              fieldName: property,
              description,
              type: { text: isFlag ? 'boolean' : 'string' },
            })),
            events: listEvents().map((event) => ({ ...event, type: { text: 'CustomEvent' } })),
            cssParts: [{ name: 'button', description: 'The button.' }],
            slots: [
              { name: '', description: 'The label of the button.' },
              { name: 'inline', description: 'Where `display="inline"` shows the widget.' },
            ],
          },
        ],
        exports: [
          {
            kind: 'custom-element-definition',
            name: tag,
            declaration: { name: 'RampButtonElement', module: `${folder}/index.js` },
          },
        ],
      },
    ],
  };
}

/** Describes the element for VS Code (`html.customData`): https://github.com/microsoft/vscode-custom-data */
const createVsCodeData = () => ({
  version: 1.1,
  tags: [
    {
      name: tag,
      description: summary,
      attributes: listAttributes().map(({ name, description, isFlag }) => ({
        name,
        description,
        ...(isFlag && { valueSet: 'v' }),
        ...(values[name] && { values: values[name].map((value) => ({ name: value })) }),
      })),
      references: [{ name: 'Guide', url: reference }],
    },
  ],
});

/** Describes the element for JetBrains editors: https://github.com/JetBrains/web-types */
function createWebTypes() {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name,
    version,
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: [
          {
            name: tag,
            description: summary,
            'doc-url': reference,
            attributes: listAttributes().map(({ name, description, isFlag }) => ({
              name,
              description,
              value: values[name]
                ? { type: values[name].map((value) => `'${value}'`).join(' | ') }
                : { type: isFlag ? 'boolean' : 'string' },
            })),
            js: { events: listEvents() },
          },
        ],
      },
    },
  };
}

/** Writes the files that describe `<ramp-button>` to editors and tools. `npm run build` calls it. */
export function writeElementData(): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries({
    'custom-elements': createManifest(),
    'html-custom-data': createVsCodeData(),
    'web-types': createWebTypes(),
  }))
    writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(data, null, 2)}\n`);
}
