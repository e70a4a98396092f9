import { createOpenApi, type JsonObject, toJsonSchema } from '../../src/contract/createOpenApi.js';
import { cacheInfoSchema } from '../../src/contract/schemas.js';
import type { Documents } from './documents.js';

const PATH = 'src/protocol/handler/CheckoutResponse.ts';

const HEADER = `// Written by \`npm run docs\` from src/contract/schemas.ts: change the schemas, not this file. The types are written out
// because types that TypeScript infers from a schema would lose their fields' comments, and depend on zod's types.

import type { Widget } from '../widget/widgetParameters.js';
`;

/** The types, in the order in which the file declares them. `Widget` is declared in src/protocol/widget instead. */
const names = [
  ...['CacheInfo', 'ProcessingTime', 'PaymentOption', 'FiatCurrency', 'CryptoCurrency', 'Quote'],
  ...['FiatCurrenciesResponse', 'CryptoCurrenciesResponse', 'QuoteResponse'],
  ...['CheckoutProgress', 'OrderResolution', 'OrderSummary', 'CheckoutResponse'],
  ...['ListedCheckout', 'CheckoutsResponse', 'PolledCheckout'],
];

/** The interfaces that extend another, each with the one that it extends. They do not repeat inherited fields. */
const bases: Readonly<Record<string, string>> = {
  FiatCurrenciesResponse: 'CacheInfo',
  CryptoCurrenciesResponse: 'CacheInfo',
  QuoteResponse: 'CacheInfo',
  ListedCheckout: 'CheckoutResponse',
  PolledCheckout: 'CheckoutResponse',
};

/** Returns the TypeScript types of the handler's responses. */
export function formatHandlerTypes(): Documents {
  const schemas: Readonly<Record<string, JsonObject>> = {
    ...createOpenApi('').components.schemas,
    CacheInfo: toJsonSchema(cacheInfoSchema),
  };
  const types = names.map((name) => {
    const schema = schemas[name] ?? {};
    const comment = formatComment(schema, '');
    if (!schema.properties) return `${comment}export type ${name} =${formatUnion(schema)};\n`;
    const base = bases[name];
    const inherited = Object.keys((base && schemas[base]?.properties) || {});
    const fields = formatFields(schema, inherited);
    return `${comment}export interface ${name} ${base ? `extends ${base} ` : ''}{\n${fields}}\n`;
  });
  return { [PATH]: [HEADER, ...types].join('\n') };
}

function formatFields({ properties, required }: JsonObject, inherited: readonly string[]): string {
  const fields = Object.entries(properties as Record<string, JsonObject>);
  return fields
    .filter(([name]) => !inherited.includes(name))
    .map(([name, schema]) => {
      const isRequired = (required as readonly string[]).includes(name);
      const type = isRequired ? `: ${toType(schema)}` : `?: ${toType(schema)} | undefined`;
      return `${formatComment(schema, '  ')}  readonly ${name}${type};\n`;
    })
    .join('');
}

/** Returns the members of a named union, each on its own line unless all of them fit on one. */
function formatUnion(schema: JsonObject): string {
  const union = toType(schema);
  return union.length < 60 ? ` ${union}` : `\n  | ${union.replaceAll(' | ', '\n  | ')}`;
}

/** Returns the type of a field. */
function toType({ $ref, enum: values, type, items }: JsonObject): string {
  if ($ref) return String($ref).split('/').at(-1) as string;
  if (values) return (values as readonly string[]).map((value) => `'${value}'`).join(' | ');
  if (type === 'array') return `readonly ${toType(items as JsonObject)}[]`;
  return type === 'integer' ? 'number' : String(type);
}

const WIDTH = 120;

/** Returns the description as a TSDoc comment, wrapped at 120 characters. */
function formatComment({ description }: JsonObject, indent: string): string {
  if (!description) return '';
  const short = `${indent}/** ${description} */\n`;
  if (short.length <= WIDTH + 1) return short;
  const lines: string[] = [];
  for (const word of String(description).split(' ')) {
    const line = lines.at(-1);
    if (line && `${line} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent} * ${word}`);
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}
