import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement, type Ref, StrictMode } from 'react';
import {
  type CheckoutSigner,
  CheckoutStatus,
  NftCard,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampProvider,
  type RampSettings,
} from '../../../src/index.js';
import { widgetUrl } from './onRampButtonPage.js';

/** What every component takes. */
export interface CommonProps {
  readonly ref?: Ref<never>;
  readonly className?: string;
  readonly style?: { readonly order: number };
  readonly id?: string;
  readonly title?: string;
  readonly 'data-mine'?: string;
  readonly 'aria-description'?: string;
  readonly render?: (props: object) => ReactElement;
}

export interface ComponentCase {
  readonly name: string;
  /** With what it cannot do without. */
  readonly make: (props: CommonProps) => ReactElement;
  /** The class of its root. */
  readonly ownClass: string;
  /** With `render` it carries no class of the package; a card does, as its content is the package's. */
  readonly isButton?: true;
  /** A word of its German texts. */
  readonly german: RegExp;
}

/** Each component of the package that is seen. */
export const componentCases: readonly ComponentCase[] = [
  {
    name: 'OnRampButton',
    make: (props) => <OnRampButton {...props} />,
    ownClass: 'ramp-button',
    isButton: true,
    german: /Krypto kaufen/,
  },
  {
    name: 'NftCheckout',
    make: (props) => <NftCheckout {...props} />,
    ownClass: 'ramp-button',
    isButton: true,
    german: /NFT kaufen/,
  },
  {
    name: 'NftCard',
    make: (props) => <NftCard name="Survey" price="1" currency="ETH" {...props} />,
    ownClass: 'ramp-nft',
    german: /Für 1.ETH kaufen/,
  },
  {
    name: 'QuotePreview',
    make: (props) => (
      <QuotePreview
        defaultValue={{ amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'ETH' }}
        {...props}
      />
    ),
    ownClass: 'ramp-quote',
    german: /Sie zahlen/,
  },
  {
    name: 'CheckoutStatus',
    make: (props) => <CheckoutStatus reference="r1" {...props} />,
    ownClass: 'ramp-status',
    german: /Wir warten auf Ihre Zahlung/,
  },
];

/** An element of the page's own, for `render`. */
export const renderSection = (props: object) =>
  createElement('section', { ...props, 'data-drawn': '' });

/** A page under StrictMode with one component and all that it may need. */
export function wrapInPage(
  child: ReactElement,
  settings: RampSettings & { signer: CheckoutSigner },
  client = new QueryClient(),
): ReactElement {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <RampProvider widgetUrl={widgetUrl} api="/api/ramp" {...settings}>
          {child}
        </RampProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
