import { CheckoutStatus, OnRampButton, QuotePreview } from '../../../src/index.js';
import './landing.css';

const links = [
  ['Getting started', './?path=/docs/guides-getting-started--docs'],
  ['Guides', './?path=/docs/guides-overview--docs'],
  ['GitHub', 'https://github.com/partner-ramp/react'],
] as const;

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

/**
 * The first page of Storybook.
 *
 * @param reference - The checkout that the status card shows.
 */
export const Landing = ({ reference }: { readonly reference: string }) => (
  <div className="landing">
    <header lang="en" dir="ltr">
      <p className="landing-name">@partner-ramp/react</p>
      <h1>
        React components that put a hosted crypto checkout into your page, and the backend that
        signs it and tracks its orders.
      </h1>
    </header>
    <div className="landing-actions">
      <OnRampButton amount="100" defaultFiatCurrency="USD" cryptoCurrency="USDT_ERC20" />
      <nav lang="en" dir="ltr" aria-label="Documentation">
        {links.map(([text, href]) => (
          <a key={text} href={href} target="_top">
            {text}
          </a>
        ))}
      </nav>
    </div>
    <div className="landing-cards">
      <QuotePreview defaultValue={start}>
        <OnRampButton />
      </QuotePreview>
      <CheckoutStatus reference={reference} />
    </div>
    <p className="landing-note" lang="en" dir="ltr">
      The components on this page are live. The backend is a mock in your browser, the widget is the
      sandbox’s, and no money moves.
    </p>
  </div>
);
