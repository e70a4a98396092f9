// The unit tests of a shop. runners.test.ts runs them in every runner, and adds the comment that sets the environment.
import {
  CheckoutStatus,
  OnRampButton,
  QuotePreview,
  RampError,
  RampProvider,
} from '@partner-ramp/react';
import { messages } from '@partner-ramp/react/messages/de';
import { buildWidgetUrl, RampError as RampErrorOfProtocol } from '@partner-ramp/react/protocol';
import '@partner-ramp/react/styles.css';
import { createTestBackend } from '@partner-ramp/react/testing';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from './runner';

const signer = async () => ({ params: { timestamp: '1', nonce: '2', signature: 'test+/=' } });

const renderPage = (children: ReactNode, settings = {}) => {
  cleanup();
  return render(
    <RampProvider widgetUrl="https://pay.example" {...settings}>
      {children}
    </RampProvider>,
  );
};

/** Replaces `fetch`. The keys are paths below `/api`, the values are response bodies, and other paths get 404. */
function mockBackend(responses: Readonly<Record<string, unknown>>) {
  globalThis.fetch = async (input) => {
    const path = `${input}`.replace(/^\/api|\?.*$/g, '');
    const body = responses[path];
    return Response.json(body ?? {}, { status: body ? 200 : 404 });
  };
}

const findFrame = async () => (await screen.findByTitle('Checkout')) as HTMLIFrameElement;

test('a click opens the signed widget in a dialog, and its button closes it', async () => {
  const events: string[] = [];
  const onEvent = ({ type }: { type: string }) => events.push(type);
  renderPage(<OnRampButton amount="100" cryptoCurrency="USDT_ERC20" />, { signer, onEvent });
  const button = screen.getByRole('button', { name: 'Buy crypto' });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(button);
  const dialog = await screen.findByRole('dialog');
  const { src } = await findFrame();
  expect(dialog.contains(await findFrame())).toBe(true);
  const { origin, pathname, searchParams } = new URL(src);
  expect([origin, pathname]).toEqual(['https://pay.example', '/home']);
  expect(searchParams.get('signature')).toBe('test+/=');
  expect(searchParams.get('amount')).toBe('100');
  expect(button.getAttribute('data-state')).toBe('open');

  fireEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(button.getAttribute('data-state')).toBe('idle');
  expect(document.activeElement).toBe(button);
  expect(events).toContain('closed');
});

test('an inline widget opens in the page', async () => {
  const page = renderPage(<OnRampButton display="inline" />, { signer });
  fireEvent.click(screen.getByRole('button', { name: 'Buy crypto' }));
  expect(page.container.contains(await findFrame())).toBe(true);
});

test('a signer that fails is reported beside the button and to onError', async () => {
  const errors: RampError[] = [];
  const failing = () => Promise.reject(new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.'));
  renderPage(<OnRampButton onError={(error) => errors.push(error)} />, { signer: failing });
  fireEvent.click(screen.getByRole('button', { name: 'Buy crypto' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Sign in to buy.');
  expect(errors.map(({ code }) => code)).toEqual(['ERR_POLICY_REFUSED']);
});

test('the language file replaces the texts', () => {
  renderPage(<OnRampButton />, { messages });
  expect(screen.getByRole('button').textContent).toBe(messages.buy);
});

test('the status card shows a delivered order', async () => {
  const orders = [
    { state: 'finished', cryptoCurrency: 'USDT', cryptoCurrencyAmount: '97.09000000' },
  ];
  const named = [{ reference: 'r1', widget: 'on-ramp', progress: 'finished', orders }];
  mockBackend({ '/checkouts': { checkouts: [], named, pollAfterSeconds: 3 } });
  renderPage(<CheckoutStatus reference="r1" />, { api: '/api' });
  expect(await screen.findByText('Delivered')).toBeTruthy();
  expect(document.body.textContent).toContain('97.09');
});

test('the status card shows an order of a test backend', async () => {
  const backend = createTestBackend();
  const { reference } = await backend.openCheckout({ selection: { amount: '120' } });
  await backend.pay();
  await backend.finishOrder();
  renderPage(<CheckoutStatus reference={reference} />, backend.provider);
  expect(await screen.findByText('Delivered')).toBeTruthy();
  expect(backend.deliveries).toHaveLength(1);
});

test('the quote card shows a price, and requests another one for another amount', async () => {
  const fresh = { ageSeconds: 0, stale: false };
  const amounts: string[] = [];
  mockBackend({
    '/currencies': { currencies: [{ fiatCurrency: 'USD', paymentOptions: [] }], ...fresh },
    '/cryptocurrencies': {
      cryptoCurrencies: [{ cryptoCurrencyCode: 'USDT_ERC20', cryptoCurrency: 'USDT' }],
      ...fresh,
    },
  });
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(`${input}`, 'https://shop.example');
    if (pathname !== '/api/quote') return fetch(input, init);
    const currencyAmount = searchParams.get('currencyAmount') ?? '';
    amounts.push(currencyAmount);
    const quote = {
      fiatCurrency: 'USD',
      currencyAmount,
      cryptoCurrencyCode: 'USDT_ERC20',
      cryptoCurrencyAmount: `${Number(currencyAmount) - 3}`,
      paymentOptions: [],
    };
    return Response.json({ quote, ...fresh });
  };
  renderPage(<QuotePreview defaultValue={{ amount: '100' }} />, { api: '/api' });
  await waitFor(() => expect(document.body.textContent).toContain('97'));
  const box = screen.getAllByRole('textbox')[0] as HTMLInputElement;
  act(() => box.focus());
  fireEvent.change(box, { target: { value: '200' } });
  await waitFor(() => expect(document.body.textContent).toContain('197'));
  expect(amounts).toEqual(['100', '200']);
});

test('the modules share one RampError', () => {
  expect(RampErrorOfProtocol).toBe(RampError);
  expect(typeof buildWidgetUrl).toBe('function');
});
