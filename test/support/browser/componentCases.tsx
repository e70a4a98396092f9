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

/** The props of every component. */
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
  /** Creates the component with its required props. */
  readonly make: (props: CommonProps) => ReactElement;
  /** The class of its root element. */
  readonly ownClass: string;
  /** A button with `render` has no class of the package; a card has, because the package renders its content. */
  readonly isButton?: true;
  /** Matches a word of its German texts. */
  readonly german: RegExp;
}

/** The visible components of the package. */
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

/** Renders an element of the page, for the prop `render`. */
export const renderSection = (props: object) =>
  createElement('section', { ...props, 'data-drawn': '' });

/** Creates a page in StrictMode with one component and its providers. */
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
