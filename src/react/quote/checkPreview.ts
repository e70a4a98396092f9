// Loaded in development builds only.

import { settingNames } from '../../client/checkout/settingNames.js';
import { findUnknownProps } from '../../client/dev/findUnknownProps.js';
import { warnOnce } from '../../client/dev/warnInDev.js';
import { hasLocale } from '../../client/format/createAmountFormats.js';
import type { QuotePreviewOptions } from '../../client/quote/QuoteForm.js';
import type { Choice, Offer } from '../../client/quote/selection.js';
import { isDecimal } from '../../protocol/decimals.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import { previewPropNames } from './previewProps.js';

const names = [...previewPropNames, ...settingNames];

/** Warns once about each misspelt prop, and about each amount or currency that the card cannot show. */
export function checkPreview(
  props: QuotePreviewOptions & { readonly locale?: string },
  wanted: NonNullable<QuotePreviewOptions['defaultValue']>,
  offer: Offer,
  choice: Choice | undefined,
  cryptos: Offer['cryptos'],
): void {
  const wrong = [
    ...findUnknownProps(props, names),
    ...findLocaleIssues(props),
    ...findAmountIssues(wanted.amount),
    ...findChainIssues(props.walletChains, cryptos),
  ];
  for (const amount of Object.values(props.presetAmounts ?? []).flat())
    if (!isDecimal(amount))
      wrong.push(
        `presetAmounts has ${JSON.stringify(amount)}, which is not a decimal string such as '50', so it is not shown.`,
      );
  if (choice) {
    const { fiatCurrency, cryptoCurrencyCode } = choice.selection;
    wrong.push(
      ...findCodeIssues(
        'fiatCurrency',
        wanted.fiatCurrency,
        fiatCurrency,
        offer.fiats.map((fiat) => fiat.fiatCurrency),
      ),
      ...findCodeIssues(
        'cryptoCurrencyCode',
        wanted.cryptoCurrencyCode,
        cryptoCurrencyCode,
        offer.cryptos.map((crypto) => crypto.cryptoCurrencyCode),
      ),
    );
  }
  for (const text of wrong) warnOnce(`QuotePreview: ${text}`);
}

/** Reports an unknown locale, which would silently show English amounts. */
function findLocaleIssues({ locale }: { readonly locale?: string }): readonly string[] {
  if (!locale || hasLocale(locale)) return [];
  return [
    `locale is ${JSON.stringify(locale)}, which the browser does not know, so amounts are formatted in English.`,
  ];
}

/**
 * Reports misspelt chains, which would silently hide their coins. A chain that the service does not sell is not a
 * mistake.
 */
function findChainIssues(
  names: readonly string[] | undefined,
  cryptos: Offer['cryptos'],
): readonly string[] {
  const chains = cryptos.flatMap(({ network }) => network?.replace('_mainnet', '') || []);
  return (names ?? []).flatMap((name) => {
    const near = findNearestName(name.replace('_mainnet', ''), chains);
    const text = `walletChains has ${JSON.stringify(name)}, and no coin is on this chain.`;
    return chains.includes(name) || !near ? [] : `${text} Did you mean ${near}?`;
  });
}

function findAmountIssues(amount: unknown): string[] {
  if (amount === undefined || amount === '' || isDecimal(amount)) return [];
  const meant = isDecimal(`${amount}`) ? ` Write it as text: amount: '${amount}'.` : '';
  return [
    `amount is ${JSON.stringify(amount)}, which is not a decimal string, so the field is empty.${meant}`,
  ];
}

function findCodeIssues(
  name: string,
  wanted: string | undefined,
  shown: string,
  offered: readonly string[],
): string[] {
  if (!wanted || wanted === shown) return [];
  const near =
    offered.find((code) => code.startsWith(`${wanted}_`)) ?? findNearestName(wanted, offered);
  const hint = near ? ` Did you mean ${near}?` : '';
  return [`${name} ${wanted} is not offered, so ${shown} is shown instead.${hint}`];
}
