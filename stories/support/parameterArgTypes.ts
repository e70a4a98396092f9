import type { ArgTypes } from '@storybook/react-vite';
import type { InputType } from 'storybook/internal/types';
import { languages } from '../../demo/languages.js';
import {
  getWidgetParameters,
  type ParameterFormat,
  type Widget,
  type WidgetParameter,
} from '../../src/protocol/index.js';
import {
  cryptoCurrencies,
  nftCryptoCurrencies,
} from '../../src/sandbox/catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../../src/sandbox/catalog/fiatCurrencies.js';
import { chains } from '../../src/sandbox/widget/nft/nftTexts.js';

/** Creates the rows of the props table from the parameter table, because no tool can derive them from the types. */
export function createParameterArgTypes(widget: Widget): ArgTypes {
  const rows = getWidgetParameters(widget).filter(
    // Leave out `ext`, because the handler sets it for a signed checkout.
    (row) => !row.managed && row.name !== 'partnerId' && row.name !== 'ext',
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.name,
      {
        ...selectControl(row, widget),
        description: row.description,
        table: {
          category: row.signed === 'premium' ? 'Parameters, signed' : 'Parameters, not signed',
          type: { summary: typeOf[row.format] ?? 'string' },
          ...(row.default && { defaultValue: { summary: row.default } }),
        },
      },
    ]),
  );
}

const typeOf: { readonly [F in ParameterFormat]?: string } = {
  flag: "boolean | '0' | '1'",
  tokens: 'string | string[]',
  fiats: 'string | string[]',
  nftType: "'MARKET' | 'MINT'",
};

const fiats = fiatCurrencies.map(({ code }) => code);
const networks = [...new Set(cryptoCurrencies.map(({ network }) => network))];

/** Returns the control for the format of a parameter. Its options are what the sandbox and the package support. */
function selectControl({ name, format }: WidgetParameter, widget: Widget): InputType {
  const coins = (widget === 'nft' ? nftCryptoCurrencies : cryptoCurrencies).map(({ code }) => code);
  const one = (options: readonly string[]): InputType => ({ control: 'select', options });
  const some = (options: readonly string[]): InputType => ({ control: 'multi-select', options });
  switch (format) {
    case 'flag':
      return { control: 'boolean' };
    case 'nftType':
      return one(['MARKET', 'MINT']);
    case 'language':
      return one(Object.keys(languages));
    case 'chain':
      return one(chains);
    case 'fiat':
      return one(fiats);
    case 'fiats':
      return some(fiats);
    case 'token':
      return one(coins);
    case 'tokens':
      return some(name === 'cryptoNetwork' ? networks : coins);
    default:
      return { control: 'text' };
  }
}
