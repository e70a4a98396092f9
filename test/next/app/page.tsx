import { NftCheckout, OnRampButton, QuotePreview, type QuoteSelection } from '@partner-ramp/react';
import { buildWidgetUrl } from '@partner-ramp/react/protocol';
import { connection } from 'next/server';
import { Suspense } from 'react';

const start: Partial<QuoteSelection> = { amount: '1250.50', fiatCurrency: 'EUR' };

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A server component. It renders the package's client components without a client component of its own. */
export default async function Page() {
  await connection();
  await later(200);
  const { RAMP_WIDGET_URL = '' } = process.env;
  return (
    <main>
      <a href={buildWidgetUrl(RAMP_WIDGET_URL, { amount: '100' })}>Ohne JavaScript</a>
      <OnRampButton amount="100" defaultFiatCurrency="EUR">
        Guthaben laden
      </OnRampButton>
      <Suspense fallback={<p>Der Preis kommt …</p>}>
        <LatePrice />
      </Suspense>
    </main>
  );
}

/** Renders after 500 ms, so the server streams this part after the rest of the page. */
async function LatePrice() {
  await later(500);
  return (
    <section id="late">
      <QuotePreview defaultValue={start}>
        <OnRampButton />
      </QuotePreview>
      <NftCheckout type="MINT" mintQuantity={1} />
    </section>
  );
}
