import type { ArgTypes, ArgTypesEnhancer, InputType, SBType } from 'storybook/internal/types';
import { toPlainText } from '../scripts/docs/plainText.js';
import { settingGroups } from '../src/client/checkout/settingNames.js';

/** The settings that every component shares with its provider. */
const settings = new Set([
  ...settingGroups.backend,
  ...settingGroups.checkout,
  'extraParams',
  'errorAction',
]);

function findCategory(name: string, { table }: InputType): string | undefined {
  if (table?.category) return table.category;
  if (/^on[A-Z]/.test(name)) return 'Callbacks';
  return settings.has(name) ? 'Provider settings' : undefined;
}

/** Returns the type of an optional prop without `undefined`. */
function unwrapOptional(type: InputType['type']): SBType {
  if (typeof type !== 'object') return { name: 'other', value: '' };
  if (type.name !== 'union') return type;
  const [first = type, ...others] = type.value.filter(
    (part) => !(part.name === 'other' && part.value === 'undefined'),
  );
  return others.length > 0 ? type : first;
}

/** Returns the TypeScript source of a type on one line, without `undefined`. */
const formatType = (raw: string) =>
  raw
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replace(/ \| undefined$/, '');

/**
 * Prepares the props that Storybook reads from the types: describes them without the syntax of TSDoc, sorts them, and
 * removes the controls that cannot set a useful value, such as "Set object" for a function.
 *
 * Props that the story sets come first. Callbacks and the settings of the provider come last.
 */
export const tidyArgTypes: ArgTypesEnhancer = ({ argTypes, initialArgs }) => {
  const rows = Object.entries(argTypes).map(([name, row]): [string, InputType] => {
    const category = findCategory(name, row);
    const { text, defaultValue } = toPlainText(row.description ?? '');
    const type = unwrapOptional(row.type);
    const isSimple = /^(?:boolean|string|number|enum)$/.test(type.name);
    const raw = typeof row.type === 'object' ? row.type.raw : undefined;
    // If Storybook cannot describe a type, it calls it "union" or "other".
    const isNamed = /^(?!(?:union|other)$)./.test(row.table?.type?.summary ?? '');
    const control = row.control ?? (isSimple && !category ? undefined : { disable: true });
    return [
      name,
      {
        ...row,
        // Storybook moves props without a type to the end.
        type,
        description: text,
        ...(control !== undefined && { control }),
        table: {
          ...(defaultValue && { defaultValue: { summary: defaultValue } }),
          ...row.table,
          ...(!isNamed && { type: { summary: raw && formatType(raw) } }),
          ...(category && { category }),
        },
      },
    ];
  });
  const given = Object.keys(initialArgs);
  const ranks = (name: string, { table }: InputType) => [
    /^(?:Callbacks|Provider)/.test(table?.category ?? '') ? 1 : 0,
    given.includes(name) ? given.indexOf(name) : given.length,
  ];
  rows.sort(([a, rowA], [b, rowB]) => {
    const [groupA = 0, placeA = 0] = ranks(a, rowA);
    const [groupB = 0, placeB = 0] = ranks(b, rowB);
    return groupA - groupB || placeA - placeB;
  });
  return Object.fromEntries(rows) as ArgTypes as ReturnType<ArgTypesEnhancer>;
};
