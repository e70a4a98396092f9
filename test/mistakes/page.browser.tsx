import { render } from '@testing-library/react';
import { describe } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, RampProvider } from '../../src/index.js';
import { button, show, widgetUrl } from '../support/on-ramp-button.js';
import { answersAll, quoteBackend } from '../support/quote-backend.js';
import { showPreview } from '../support/quote-preview.js';
import { itShows } from './itShows.js';
import { printed } from './printed.js';

/** The console of a page with one button, which is pressed. */
const pressed = (props: object) =>
  printed(async () => {
    show(props);
    await userEvent.click(button());
  });

describe('the console of a page', () => {
  itShows(12, () =>
    printed(() =>
      render(
        <RampProvider widgetUrl={undefined} api="/api/ramp">
          <OnRampButton />
        </RampProvider>,
      ),
    ),
  );
  itShows(13, () => pressed({ widgetUrl: 'https://pay.example/home' }));
  itShows(14, () => pressed({ widgetUrl: 'pay.example' }));
  itShows(15, () => pressed({ widgetUrl: 'http://pay.example' }));
  itShows(22, () => printed(() => show({ secretKey: 'never so' } as object)));
  itShows(33, async () => {
    // A reserved port that no service uses.
    const nobody = 'http://127.0.0.1:47';
    return { text: await printed(() => show({ widgetUrl: nobody })), values: { origin: nobody } };
  });
  itShows(34, () => printed(() => show({ widgetUrl, amount: '100,50' })));
  itShows(45, () =>
    printed(() =>
      render(
        <RampProvider widgetUrl={widgetUrl} api={undefined}>
          <OnRampButton />
        </RampProvider>,
      ),
    ),
  );
  itShows(47, () => printed(() => show({ walletAdress: '0xF0' } as object)));
  itShows(50, () => printed(() => show({ render: () => <button type="button">Buy</button> })));
});

describe('the console of a page with a QuotePreview', () => {
  const preview = (defaultValue: object) =>
    printed(() => {
      quoteBackend(answersAll);
      showPreview({ defaultValue });
    });
  itShows(48, () => preview({ amount: 100 }));
  itShows(49, () => preview({ amount: '100', cryptoCurrencyCode: 'USDT' }));
});
