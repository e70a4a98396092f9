import { readFileSync } from 'node:fs';
import {
  getWidgetParameters,
  type Widget,
  type WidgetParameter,
} from '../../src/protocol/index.js';
import { valueFormats } from '../../src/protocol/widget/valueFormats.js';
import type { Documents } from './documents.js';

const PATH = 'docs/parameters.md';
const START =
  '<!-- parameters: written by `npm run docs` from src/protocol/widget/widgetParameters.ts -->';
const END = '<!-- /parameters -->';

const formatRequired: Record<WidgetParameter['required'], string> = {
  never: '',
  premium: 'Premium',
  always: 'yes',
  MARKET: 'type MARKET',
  MINT: 'type MINT',
};
const formatSigned: Record<WidgetParameter['signed'], string> = {
  never: '',
  premium: 'yes',
  result: 'the result',
};

/** Returns the text for the "value" column: the format of a parameter's value, in words. */
function formatValue({ name, format, signed }: WidgetParameter): string {
  if (format !== 'text') return valueFormats[format].words;
  if (name === 'signature') return 'standard base64, 44 characters';
  if (name === 'ext') return 'any text; encoded before it is signed';
  return signed === 'never' ? 'any text' : 'signed text';
}

function formatTable(widget: Widget): string {
  const rows = getWidgetParameters(widget).map((row) => {
    const description = row.default
      ? `${row.description} Default: ${row.default}.`
      : row.description;
    const cells = [
      `\`${row.name}\``,
      formatSigned[row.signed],
      formatRequired[row.required],
      formatValue(row),
      description,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `| parameter | signed | required | value | description |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

export function formatParameterDocs(): Documents {
  const [before, rest = ''] = readFileSync(PATH, 'utf8').split(START);
  const tables = `## On-ramp\n\n${formatTable('on-ramp')}\n\n## NFT checkout\n\n${formatTable('nft')}`;
  return { [PATH]: `${before}${START}\n\n${tables}\n\n${END}${rest.split(END)[1]}` };
}
