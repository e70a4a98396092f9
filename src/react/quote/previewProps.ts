import type { HTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import type {
  QuotePreviewOptions,
  QuotePreviewState,
  QuotePreviewStatus,
} from '../../client/quote/QuoteForm.js';
import type { RampSettings } from '../provider/RampProvider.js';

type RootProps = HTMLAttributes<HTMLDivElement>;

/** The props that a `render` function spreads onto its own element; `children` is the content of the card. */
export type QuotePreviewRootProps = RootProps & {
  /** The ref that was passed to the component. */
  readonly ref: Ref<HTMLDivElement>;
  /** The {@link QuotePreviewStatus} of the card, for stylesheets. */
  readonly 'data-state': QuotePreviewStatus;
  /** Set while the amounts belong to an earlier selection. */
  readonly 'data-previous': true | undefined;
};

/** Props of `QuotePreview`. Native attributes are passed to the card's root element. */
export interface QuotePreviewProps
  extends QuotePreviewOptions,
    Pick<RampSettings, 'messages' | 'language'>,
    Omit<RootProps, 'children' | 'defaultValue'> {
  /** The locale of amounts. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /** Shown at the end of the card. An `OnRampButton` among the children buys the selection. */
  readonly children?: ReactNode | ((state: QuotePreviewState) => ReactNode) | undefined;
  /** Renders your own element as the card. Spread the props onto it, including `ref`. */
  readonly render?:
    | ((props: QuotePreviewRootProps, state: QuotePreviewState) => ReactElement)
    | undefined;
}

/** The props of the price card that are not attributes of its root element. */
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
