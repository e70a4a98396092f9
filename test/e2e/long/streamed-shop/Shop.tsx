import {
  CheckoutStatus,
  NftCard,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampProvider,
} from '@partner-ramp/react';
import { Fragment, type ReactNode, StrictMode, Suspense } from 'react';

/** The settings of a page. Server and browser must render the page with the same settings. */
export interface ShopSettings {
  readonly widgetUrl: string;
  /** The reference of the checkout that the page shows. */
  readonly reference: string;
  readonly strict: boolean;
  readonly language?: string;
  readonly locale?: string;
}

export interface ShopProps extends ShopSettings {
  /** Suspends a late part: throws a promise until the part may render. Only the server passes this function. */
  readonly wait?: (part: string) => void;
}

/** The whole document. The server sends one part immediately, and three late parts one after the other. */
export function Shop({ widgetUrl, reference, strict, language, locale, wait }: ShopProps) {
  const Mode = strict ? StrictMode : Fragment;
  const late = (name: string, content: ReactNode) => (
    <Suspense fallback={<p>{name} comes</p>}>
      <Late wait={() => wait?.(name)}>{content}</Late>
    </Suspense>
  );
  return (
    <html lang="fr">
      <head>
        <title>Shop</title>
        <link rel="stylesheet" href="/styles.css" />
      </head>
      <body>
        <Mode>
          <RampProvider widgetUrl={widgetUrl} api="/api/ramp" language={language}>
            <section id="early">
              <CheckoutStatus id="order" reference={reference} locale={locale} />
              <OnRampButton>Top up</OnRampButton>
              <QuotePreview id="first" defaultValue={{ amount: '1250.50' }} locale={locale}>
                <OnRampButton />
              </QuotePreview>
            </section>
            {late(
              'cards',
              <section id="cards">
                <NftCard
                  name="Survey"
                  price="1234.5"
                  currency="ETH"
                  button={{ type: 'MINT', mintQuantity: 1 }}
                />
                <NftCheckout type="MINT" mintQuantity={1}>
                  Mint
                </NftCheckout>
              </section>,
            )}
            {late(
              'order',
              <CheckoutStatus id="same-order" reference={reference} locale={locale} />,
            )}
            {late(
              'price',
              <section id="price">
                <QuotePreview id="second" defaultValue={{ amount: '1250.50' }} locale={locale}>
                  {({ status, selection, data: quote }) => (
                    <output>{`${status} ${selection?.fiatCurrency} ${quote?.fiatCurrency}`}</output>
                  )}
                </QuotePreview>
              </section>,
            )}
          </RampProvider>
        </Mode>
      </body>
    </html>
  );
}

function Late({ wait, children }: { wait: () => void; children: ReactNode }) {
  wait();
  return children;
}
