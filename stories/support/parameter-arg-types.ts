import type { ArgTypes } from '@storybook/react-vite';
import { parametersOf, type Widget } from '../../src/protocol/index.js';

/** A widget's parameters as rows of the props table: from the table itself, which no tool can read off the types. */
export function parameterArgTypes(widget: Widget): ArgTypes {
  const rows = parametersOf(widget).filter((row) => !row.managed && row.name !== 'partnerId');
  return Object.fromEntries(
    rows.map(({ name, format, signed, description, default: defaultValue }) => [
      name,
      {
        description,
        control: format === 'flag' ? 'boolean' : 'text',
        table: {
          category: signed === 'premium' ? 'Parameters, signed' : 'Parameters, not signed',
          type: { summary: typeOf[format] ?? 'string' },
          ...(defaultValue && { defaultValue: { summary: defaultValue } }),
        },
      },
    ]),
  );
}

const typeOf: Readonly<Record<string, string>> = {
  flag: "boolean | '0' | '1'",
  tokens: 'string | string[]',
  fiats: 'string | string[]',
};
