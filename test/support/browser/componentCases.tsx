import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement, type Ref, StrictMode } from 'react';
import {
  CheckoutHistory,
  CheckoutInProgress,
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

/** The props that every visible component accepts. */
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
  /** Creates the component with the given props and its required props. */
  readonly make: (props: CommonProps) => ReactElement;
  /** The class that the package gives to the root element of the component. */
  readonly ownClass: string;
  /** With `render`, a button loses the package's class. A card keeps it, because the package renders its content. */
  readonly isButton?: true;
  /** Matches a part of the component's text with German messages. */
  readonly german: RegExp;
  /** Matches the same part in English. */
  readonly english: RegExp;
}

/** One case for each visible component of the package. */
export const componentCases: readonly ComponentCase[] = [
  {
    name: 'OnRampButton',
    make: (props) => <OnRampButton {...props} />,
    ownClass: 'ramp-button',
    isButton: true,
    german: /Krypto kaufen/,
    english: /Buy crypto/,
  },
  {
    name: 'NftCheckout',
    make: (props) => <NftCheckout {...props} />,
    ownClass: 'ramp-button',
    isButton: true,
    german: /NFT kaufen/,
    english: /Buy NFT/,
  },
  {
    name: 'NftCard',
    make: (props) => <NftCard name="Survey" price="1" currency="ETH" {...props} />,
    ownClass: 'ramp-nft',
    german: /Für 1.ETH kaufen/,
    english: /Buy for 1.ETH/,
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
    english: /You pay/,
  },
  {
    name: 'CheckoutStatus',
    make: (props) => <CheckoutStatus reference="r1" {...props} />,
    ownClass: 'ramp-status',
    german: /Noch nicht bezahlt/,
    english: /Not paid yet/,
  },
  {
    name: 'CheckoutHistory',
    make: (props) => <CheckoutHistory {...props} />,
    ownClass: 'ramp-history',
    german: /Noch nicht bezahlt/,
    english: /Not paid yet/,
  },
  {
    name: 'CheckoutInProgress',
    make: (props) => <CheckoutInProgress {...props} />,
    ownClass: 'ramp-in-progress',
    german: /Sie haben einen begonnenen Kauf/,
    english: /You have a checkout in progress/,
  },
];

/** A value for the prop `render`: renders a `section` instead of the component's own element. */
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
