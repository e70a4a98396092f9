import type { QuotePreviewProps } from './QuotePreview.js';

/** The props of the price card that are no attributes of its root element. */
export const previewPropNames = [
  'api',
  'credentials',
  'headers',
  'fetch',
  'messages',
  'language',
  'locale',
  'fiatCurrency',
  'cryptoCurrency',
  'cryptoNetwork',
  'walletChains',
  'buyType',
  'omitPayment',
  'presetAmounts',
  'value',
  'defaultValue',
  'onValueChange',
  'onQuote',
  'refreshSeconds',
  'render',
  'children',
] as const satisfies readonly (keyof QuotePreviewProps)[];

type PreviewPropName = (typeof previewPropNames)[number];

/** Returns the props that belong to the root element of the card. */
export function getNativeProps(props: QuotePreviewProps): Omit<QuotePreviewProps, PreviewPropName> {
  const native: { [name: string]: unknown } = { ...props };
  for (const name of previewPropNames) delete native[name];
  return native;
}
