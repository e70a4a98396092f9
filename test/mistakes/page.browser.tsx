import { render } from '@testing-library/react';
import { describe } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, RampProvider } from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';
import { signProposal } from '../support/browser/countingSigner.js';
import { button, renderButton, widgetUrl } from '../support/browser/onRampButtonPage.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';
import { renderPreview } from '../support/browser/quotePreviewPage.js';
import { captureConsole } from './captureConsole.js';
import { testMistake } from './testMistake.js';

/** Returns the console output of a page with these props after a click on its button. */
const pressed = (props: object) =>
  captureConsole(async () => {
    renderButton(props);
    await userEvent.click(button());
  });

describe('the console of a page', () => {
  testMistake(12, () =>
    captureConsole(() =>
      render(
        <RampProvider widgetUrl={undefined} api="/api/ramp">
          <OnRampButton />
        </RampProvider>,
      ),
    ),
  );
  testMistake(13, () => pressed({ widgetUrl: 'https://pay.example/home' }));
  testMistake(14, () => pressed({ widgetUrl: 'pay.example' }));
  testMistake(15, () => pressed({ widgetUrl: 'http://pay.example' }));
  testMistake(22, () => captureConsole(() => renderButton({ secretKey: 'never so' } as object)));
  testMistake(33, async () => {
    // No server listens on this port.
    const unused = 'http://127.0.0.1:47';
    return {
      text: await captureConsole(() => renderButton({ widgetUrl: unused })),
      values: { origin: unused },
    };
  });
  testMistake(34, () => captureConsole(() => renderButton({ widgetUrl, amount: '100,50' })));
  testMistake(45, () =>
    captureConsole(() =>
      render(
        <RampProvider widgetUrl={widgetUrl} api={undefined}>
          <OnRampButton />
        </RampProvider>,
      ),
    ),
  );
  testMistake(47, () => captureConsole(() => renderButton({ walletAdress: '0xF0' } as object)));
  testMistake(52, () =>
    captureConsole(() => renderButton({ messages: { messages: german } as never })),
  );
  testMistake(53, () => captureConsole(() => renderButton({ display: 'popup' as never })));
  testMistake(54, () =>
    captureConsole(() =>
      renderButton({ signer: signProposal as never, credentials: true as never }),
    ),
  );
  testMistake(55, async () => {
    const origin = location.origin.replace('localhost', '127.0.0.1').replace(/:\d+$/, ':49');
    return {
      text: (await captureConsole(() => renderButton({ widgetUrl: `${origin}/api/ramp` }))).split(
        '\n[partner-ramp] No server',
      )[0] as string,
      values: { origin },
    };
  });
  testMistake(57, () =>
    captureConsole(() => renderButton({ signer: signProposal as never, ext: 'order-7' })),
  );
  testMistake(58, () => captureConsole(() => renderButton({ nonce: '1' } as object)));
  testMistake(59, () => captureConsole(() => renderButton({ email: { a: 1 } } as never)));
});

describe('the console of a page with a QuotePreview', () => {
  const preview = (defaultValue: object) =>
    captureConsole(() => {
      quoteBackend(respondToAll);
      renderPreview({ defaultValue });
    });
  testMistake(48, () => preview({ amount: 100 }));
  testMistake(49, () => preview({ amount: '100', cryptoCurrencyCode: 'USDT' }));
});
