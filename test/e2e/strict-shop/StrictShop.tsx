import { NftCard, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';

const displays = ['modal', 'inline', 'window', 'redirect'] as const;

/**
 * A whole document with buttons for all displays, a price card and an NFT card. Its server sends a CSP that forbids
 * inline scripts and styles.
 */
export const StrictShop = ({ widgetUrl }: { widgetUrl: string }) => (
  <html lang="en" data-widget-url={widgetUrl}>
    <head>
      <title>Shop</title>
      <link rel="stylesheet" href="/styles.css" />
      <script type="module" src="/page.js" />
    </head>
    <body>
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        {displays.map((display) => (
          <OnRampButton key={display} display={display}>
            {display}
          </OnRampButton>
        ))}
        <QuotePreview defaultValue={{ amount: '100' }}>
          <OnRampButton />
        </QuotePreview>
        <NftCard
          name="Survey"
          image="/survey.svg"
          price="0.05"
          currency="ETH"
          maxQuantity={3}
          button={{ type: 'MINT', mintQuantity: 1 }}
        />
      </RampProvider>
    </body>
  </html>
);
