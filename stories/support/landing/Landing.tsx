import { CheckoutStatus, OnRampButton, QuotePreview } from '../../../src/index.js';
import { CopyButton } from '../CopyButton.js';
import './landing.css';

const install = 'npm install @partner-ramp/react @tanstack/react-query';

const page = `import { OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import '@partner-ramp/react/styles.css';

<RampProvider widgetUrl="https://pay.example" api="/api/ramp">
  <QuotePreview defaultValue={{ amount: '100' }}>
    <OnRampButton />
  </QuotePreview>
</RampProvider>`;

const next = [
  [
    'Getting started',
    './?path=/docs/guides-getting-started--docs',
    'From an empty folder to a delivered order, in ten minutes.',
  ],
  [
    'Playground',
    './?path=/story/components-onrampbutton--playground',
    'Change every parameter, and see the text that is signed.',
  ],
  [
    'Components',
    './?path=/docs/components-onrampbutton--docs',
    'What each one does, its states and its props.',
  ],
  [
    'Themes',
    './?path=/story/components-themes--four-shops',
    'The same components in four shops, light and dark.',
  ],
  [
    'Backend',
    './?path=/docs/guides-backend--docs',
    'Sign checkouts, find their orders, deliver them.',
  ],
  ['GitHub', 'https://github.com/partner-ramp/react', 'The source, with complete example shops.'],
] as const;

interface StepProps {
  readonly title: string;
  readonly code: string;
  /** The name of the code in the accessible name of the copy button. */
  readonly what: string;
}

const Step = ({ title, code, what }: StepProps) => (
  <>
    <div className="landing-step">
      <h2>{title}</h2>
      <CopyButton what={what} text={code} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, long lines are scrolled by keyboard. */}
    <pre tabIndex={0}>
      <code>{code}</code>
    </pre>
  </>
);

/**
 * The first page of Storybook: what the package does, beside the code that does it.
 *
 * @param reference - The checkout that the status card shows.
 */
export const Landing = ({ reference }: { readonly reference: string }) => (
  <div className="landing">
    <header lang="en" dir="ltr">
      <p className="landing-name">@partner-ramp/react</p>
      <h1>Sell crypto from your React page.</h1>
      <p className="landing-lead">
        The service hosts the checkout. This package shows the price, opens the checkout signed by
        your server, and tells you when the order is paid.
      </p>
    </header>
    <section aria-label="Show the price and open the checkout">
      <div className="landing-text" lang="en" dir="ltr">
        <Step title="1. Install it" what="the command" code={install} />
        <Step title="2. Put it on your page" what="the code" code={page} />
        <p>
          That is the card on this page. Its backend is a mock in your browser, its checkout is the
          sandbox’s, and no money moves: buy something.
        </p>
      </div>
      <QuotePreview defaultValue={{ amount: '100' }}>
        <OnRampButton />
      </QuotePreview>
    </section>
    <section aria-label="Follow the order">
      <div className="landing-text" lang="en" dir="ltr">
        <Step title="3. Follow the order" what="the line" code="<CheckoutStatus />" />
        <p>
          The card knows the order from your backend, not from the widget. It updates by itself.
        </p>
      </div>
      <CheckoutStatus reference={reference} />
    </section>
    <nav lang="en" dir="ltr" aria-label="Open next">
      <h2>Open next</h2>
      <ul>
        {next.map(([text, href, purpose]) => (
          <li key={text}>
            <a href={href} target="_top">
              {text}
            </a>
            <p>{purpose}</p>
          </li>
        ))}
      </ul>
    </nav>
  </div>
);
