import { readFileSync, writeFileSync } from 'node:fs';
import {
  getWidgetParameters,
  type Widget,
  type WidgetParameter,
} from '../../src/protocol/index.js';

const START =
  '<!-- parameters: written by `npm run docs` from src/protocol/widget/widgetParameters.ts -->';
const END = '<!-- /parameters -->';

export const formatRequired: Record<WidgetParameter['required'], string> = {
  never: '',
  premium: 'Premium',
  always: 'yes',
  MARKET: 'type MARKET',
  MINT: 'type MINT',
};
export const formatSigned: Record<WidgetParameter['signed'], string> = {
  never: '',
  premium: 'yes',
  result: 'the result',
};

function rows(widget: Widget): string {
  return getWidgetParameters(widget)
    .map((row) => {
      const description = row.default
        ? `${row.description} Default: ${row.default}.`
        : row.description;
      const cells = [
        `\`${row.name}\``,
        formatRequired[row.required],
        formatSigned[row.signed],
        description,
      ];
      return `| ${cells.join(' | ')} |`;
    })
    .join('\n');
}

/** Returns the parameters of both widgets as Markdown, generated from the parameter table. */
export function formatParameterDocs(): string {
  const head = '| parameter | required | signed | |\n|---|---|---|---|\n';
  return `${START}\n\n**On-ramp**\n\n${head}${rows('on-ramp')}\n\n**NFT checkout** (Premium Partners)\n\n${head}${rows('nft')}\n\n${END}`;
}

/** Writes the current table to the README. */
export function writeParameterDocs(path: string): void {
  const text = readFileSync(path, 'utf8');
  const [before, rest = ''] = text.split(START);
  writeFileSync(path, `${before}${formatParameterDocs()}${rest.split(END)[1]}`);
}
