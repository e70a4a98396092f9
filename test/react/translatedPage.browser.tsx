import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addOpenedCheckout } from '../../src/client/pageCheckouts.js';
import {
  type CheckoutEvent,
  CheckoutHistory,
  CheckoutInProgress,
  type CheckoutResponse,
  CheckoutStatus,
  NftCard,
  OnRampButton,
  QuotePreview,
} from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';
import { messages as english } from '../../src/messages/en.js';
import '../../src/styles.css';
import { accelerateTime } from '../support/browser/accelerateTime.js';
import { card, order } from '../support/browser/checkoutStatusPage.js';
import { componentCases, wrapInPage } from '../support/browser/componentCases.js';
import { continueBackend } from '../support/browser/continueBackend.js';
import { countingSigner } from '../support/browser/countingSigner.js';
import { fakePopup } from '../support/browser/fakePopup.js';
import { createListed, failure, historyBackend } from '../support/browser/historyBackend.js';
import { notice, press, refusal } from '../support/browser/newWindowPage.js';
import { button, dialog, waitForDialog } from '../support/browser/onRampButtonPage.js';
import { openLink } from '../support/browser/openLink.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';
import { field } from '../support/browser/quotePreviewPage.js';
import { pollNow } from '../support/browser/statusBackend.js';
import { type TranslatedPage, translatePage } from '../support/browser/translatePage.js';

let translated: TranslatedPage;
const failures: string[] = [];
const onEvent = (event: CheckoutEvent) =>
  event.type === 'failed' && failures.push(`${event.error.code} ${event.error.cause}`);

beforeEach(() => {
  failures.length = 0;
  translated = translatePage();
});
afterEach(() => {
  const shown = text();
  const stale = translated.findStaleTexts();
  translated.stop();
  cleanup();
  vi.restoreAllMocks();
  expect(shown).toContain('The rest of the shop');
  expect(failures.filter((failure) => failure.startsWith('ERR_RENDER'))).toEqual([]);
  expect(stale).toEqual([]);
});

/** Renders a component between texts of the page, which React may insert nodes before. */
function show(component: ReactElement, settings: object = {}) {
  const { signer } = countingSigner();
  const page = (child: ReactElement, more: object) => (
    <div data-testid="shop">
      Before it {wrapInPage(child, { signer, onEvent, ...settings, ...more })} The rest of the shop
    </div>
  );
  const shown = render(page(component, {}));
  return {
    update: (more: object, next = component) => shown.rerender(page(next, more)),
  };
}

const text = () => screen.queryByTestId('shop')?.textContent?.replace(/\s+/g, ' ') ?? '';
const says = (words: RegExp | string) => waitFor(() => expect(text()).toMatch(words));

describe.each(componentCases)('<$name /> in a translated page', ({ make, german: words }) => {
  it('shows the words of each language that the page sets', async () => {
    quoteBackend(respondToAll);
    const { update } = show(make({}));
    await waitFor(() => expect(text()).not.toMatch(/^Before it The rest/));
    update({ messages: german });
    await says(words);
    update({ messages: english });
    await waitFor(() => expect(text()).not.toMatch(words));
    update({ messages: german });
    await says(words);
  });
});

describe('an on-ramp button in a translated page', () => {
  let backend: ReturnType<typeof continueBackend>;
  const list = (state: Partial<CheckoutResponse>) => {
    backend.answers[backend.reference] = state;
  };
  const windows: ReturnType<typeof fakePopup>[] = [];
  beforeEach(() => {
    backend = continueBackend();
    list({});
    windows.length = 0;
    vi.spyOn(window, 'open').mockImplementation(() => {
      windows.push(fakePopup());
      return windows.at(-1) as never;
    });
  });
  const api = { signer: undefined };

  it('shows the window, the order, and that the window is closed', async () => {
    accelerateTime();
    show(<OnRampButton display="window" />, api);
    act(() => button().click());
    await says('The checkout is open in another window. Show the checkout window');
    list({ progress: 'unconfirmed' });
    await says('Your order is being confirmed');
    list({ progress: 'finished', orders: [order] });
    await says('Delivered');
    (windows[0] as { closed: boolean }).closed = true;
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    expect(notice()?.textContent).toMatch(/^Delivered/);
  });

  it('no longer says that a closed window is open', async () => {
    accelerateTime();
    show(<OnRampButton display="window" />, api);
    act(() => button().click());
    await says('The checkout is open in another window.');
    await new Promise((done) => setTimeout(done, 15_000));
    (windows[0] as { closed: boolean }).closed = true;
    await says("don't pay again");
    expect(text()).not.toContain('The checkout is open');
    list({ progress: 'expired' });
    await says('No payment received');
  });

  it('shows the outcome in the bar of its dialog', async () => {
    accelerateTime();
    show(<OnRampButton />, api);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    await new Promise((done) => setTimeout(done, 6000));
    list({ progress: 'unconfirmed' });
    await waitFor(() => expect(dialog()?.textContent).toContain('Payment received'));
    list({ progress: 'finished', orders: [order] });
    await waitFor(() => expect(dialog()?.textContent).toContain('Delivered'));
    press('Back to the shop');
    await says('Delivered');
  });

  it('asks about a payment, and continues in a window', async () => {
    accelerateTime();
    show(<OnRampButton />, api);
    act(() => button().click());
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    await new Promise((done) => setTimeout(done, 6000));
    backend.continue = async () => refusal(503, 'ERR_API_RESPONSE');
    press('Open in a new window');
    press('No, continue in a new window');
    await waitFor(() => expect(dialog()?.textContent).toContain('We could not check'));
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    press('Try again');
    await says('Your payment has been received');
  });

  it('shows an error, the link of a blocked window, and neither once they are over', async () => {
    let isFailing = true;
    const { signer } = countingSigner(0, (proposal) => {
      if (isFailing) throw new Error('down');
      return { reference: 'r1', params: { ...proposal.params, signature: 's' } };
    });
    vi.mocked(window.open).mockReturnValue(null);
    show(
      <OnRampButton
        display="window"
        errorAction={(_, retry) => (
          <>
            Call us, or{' '}
            <button type="button" onClick={retry}>
              retry
            </button>
          </>
        )}
      />,
      { signer },
    );
    act(() => button().click());
    await says('The checkout could not be opened. Call us, or retry');
    isFailing = false;
    press('retry');
    await says('The window did not open. Open the checkout here.');
    await openLink(screen.getByRole('link'));
    await waitFor(() => expect(text()).not.toContain('blocked'));
  });

  it("changes the page's label, also beside an icon", async () => {
    const label = (amount: number, icon: boolean) => (
      <OnRampButton>
        {icon && <i>★</i>}
        Buy for {amount} EUR
      </OnRampButton>
    );
    const page = (child: ReactElement) => (
      <div data-testid="shop">{child} The rest of the shop</div>
    );
    const { rerender } = render(page(label(5, false)));
    for (const [amount, icon] of [
      [6, true],
      [7, false],
      [8, true],
    ] as const) {
      await act(async () => {});
      rerender(page(label(amount, icon)));
      expect(text()).toBe(`${icon ? '★' : ''}Buy for ${amount} EUR The rest of the shop`);
    }
  });
});

describe('a price card in a translated page', () => {
  const type = async (amount: string) => {
    await userEvent.clear(field());
    await userEvent.type(field(), amount);
  };

  it('shows the limit that the amount violates, the price, and why there is none', async () => {
    let isDown = false;
    quoteBackend((request) =>
      isDown && request.route === '/quote' ? undefined : respondToAll(request),
    );
    show(
      <QuotePreview locale="en" presetAmounts={['50', '100']} defaultValue={{ amount: '100' }}>
        Prices may change. <OnRampButton />
      </QuotePreview>,
    );
    await says('97.09');
    await type('1');
    await says('At least 15 USD with this method');
    await type('9999');
    await says('At most 5,000 USD with this method');
    await type('1.500');
    await says('Write the amount like 1500.50');
    await type('60');
    await says('Buy 97.09');
    await userEvent.click(screen.getByRole('button', { name: /^USDT / }));
    await userEvent.type(screen.getByRole('combobox'), 'none');
    await says('No currency found');
    await userEvent.clear(screen.getByRole('combobox'));
    await userEvent.click(screen.getByRole('option', { name: /^ETH/ }));
    await says('97.09 ETH');
    await userEvent.click(screen.getByText('Price breakdown'));
    isDown = true;
    await userEvent.click(screen.getByRole('radio', { name: /Bank card transfer/ }));
    await type('70');
    await says('Buy ETH');
  });

  it('shows an error, and the price after it', async () => {
    let isDown = true;
    quoteBackend((request) => {
      if (!isDown || request.route !== '/quote') return respondToAll(request);
      queueMicrotask(() =>
        request.respond({ error: { code: 'ERR_API_RESPONSE', message: 'no' } }, 503),
      );
      return undefined;
    });
    show(
      <QuotePreview defaultValue={{ amount: '100' }}>
        <OnRampButton />
      </QuotePreview>,
    );
    await says('The price could not be loaded.');
    isDown = false;
    press('Try again');
    await says('Buy 97.09');
  });
});

describe('the card of an NFT in a translated page', () => {
  it('shows the chosen quantity and its price, and replaces its button', async () => {
    const nft = (price: number, action?: string) => (
      <NftCard
        name={<>Survey no. {price}</>}
        collection="Fieldnotes"
        fiatPrice={<>about {price} USD</>}
        price={`${price}`}
        currency="ETH"
        maxQuantity={3}
        action={action}
        button={{ type: 'MINT', mintQuantity: 1 }}
      >
        Ships {price} days later
      </NftCard>
    );
    const { update } = show(nft(2));
    await act(async () => {});
    press('Increase');
    await says(/2, 4.ETH/);
    await says(/Mint 2 for 4.ETH/);
    update({}, nft(3));
    await act(async () => {});
    update({}, nft(4, 'Sold out'));
    await says('about 4 USD');
    expect(text()).toContain('Survey no. 4');
    expect(text()).toContain('Sold out');
    update({}, nft(5));
    await says(/Mint 2 for 10.ETH/);
    expect(text()).toContain('Ships 5 days later');
  });
});

describe('an order card in a translated page', () => {
  let backend: ReturnType<typeof continueBackend>;
  beforeEach(() => {
    accelerateTime();
    backend = continueBackend();
  });

  it('shows each state of an order, its details and its receipt', async () => {
    backend.answers = { r1: {} };
    vi.spyOn(navigator.clipboard, 'writeText')
      .mockResolvedValueOnce()
      .mockRejectedValue(new Error());
    show(
      <CheckoutStatus reference="r1" locale="en">
        Questions? Write to us.
      </CheckoutStatus>,
    );
    await says('Not paid yet');
    const unconfirmed = { ...order, state: 'unknown' } as const;
    for (const [state, words] of [
      [{ progress: 'unconfirmed', orders: [unconfirmed] }, 'Your order is being confirmed'],
      [{ progress: 'review', orders: [order], underReview: 1 }, 'review'],
      [{ progress: 'finished', orders: [order, { ...order, orderId: 'o2' }] }, 'Order 2'],
    ] as const) {
      backend.answers.r1 = state;
      await says(words);
    }
    press('Copy receipt');
    await says('✓');
    const [copyHash] = screen.getAllByRole('button', { name: 'Copy the transaction ID' });
    act(() => copyHash?.click());
    await waitFor(() => expect(card().querySelector('[data-expanded]')).not.toBeNull());
  });

  it('says that the connection is lost, and shows the next state', async () => {
    backend.answers = { r1: { progress: 'unconfirmed', orders: [order] } };
    show(<CheckoutStatus reference="r1" />);
    await says('Your order is being confirmed');
    delete backend.answers.r1;
    const respond = vi.mocked(window.fetch).getMockImplementation() as typeof fetch;
    vi.mocked(window.fetch).mockRejectedValue(new TypeError('Failed to fetch'));
    await says('No connection to the shop');
    backend.answers = { r1: { progress: 'finished', orders: [order] } };
    vi.mocked(window.fetch).mockImplementation(respond);
    press('Try again');
    await says('Delivered');
    expect(text()).not.toContain('No connection');
  });

  it('shows the other checkouts of the tab, each with its state', async () => {
    backend.answers = { r1: {}, r2: {} };
    for (const reference of ['r1', 'r2']) addOpenedCheckout('/api/ramp', reference);
    show(<CheckoutStatus>Questions? Write to us.</CheckoutStatus>);
    const line = () => card().querySelector('.ramp-status-others li')?.textContent;
    await waitFor(() => expect(line()).toContain('Waiting for your payment'));
    backend.answers.r1 = { progress: 'finished', orders: [order] };
    pollNow();
    await waitFor(() => expect(line()).toMatch(/^Delivered 100\.00/));
    act(() => addOpenedCheckout('/api/ramp', 'r3'));
    backend.answers.r3 = {};
    await waitFor(() => expect(card().querySelectorAll('.ramp-status-others li')).toHaveLength(2));
  });

  it('says why a checkout does not continue', async () => {
    backend.answers = { r1: {} };
    show(<CheckoutStatus reference="r1" />);
    await says('Not paid yet');
    for (const [status, code, words] of [
      [503, 'ERR_API_RESPONSE', 'We could not check'],
      [403, 'ERR_POLICY_REFUSED', 'Sign in first'],
      [410, 'ERR_CHECKOUT_EXPIRED', 'This checkout has ended'],
    ] as const) {
      backend.continue = async () => refusal(status, code, 'Sign in first');
      act(() => screen.getByRole('button', { name: 'Continue checkout' }).click());
      await says(words);
    }
  });
});

describe('the list of orders in a translated page', () => {
  it('shows changes, older checkouts, errors, and that there are none', async () => {
    const backend = historyBackend(createListed('r3'), createListed('r2'), createListed('r1'));
    show(<CheckoutHistory pageSize={2} empty="Visit our shop." locale="en" />);
    await says('Continue checkout');
    backend.checkouts = backend.checkouts.map((checkout) => ({
      ...checkout,
      progress: 'finished',
      orders: [order],
    }));
    pollNow();
    await says('Delivered');
    backend.respond = failure(503, 'ERR_API_RESPONSE');
    press('Show older orders');
    await says('could not be loaded');
    backend.respond = undefined;
    press('Show older orders');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Show older orders' })).toBeNull(),
    );
    backend.checkouts = [];
    pollNow();
    await says('Visit our shop.');
    backend.checkouts = [createListed('r4')];
    pollNow();
    await waitFor(() => expect(text()).not.toContain('Visit our shop.'));
  });

  it('offers a checkout in progress, and the next one after "Dismiss"', async () => {
    const backend = historyBackend(
      createListed('r2'),
      createListed('r1', { createdAt: 1_700_000_000 }),
    );
    show(<CheckoutInProgress locale="en">Or call us.</CheckoutInProgress>);
    await says('You have a checkout in progress.');
    press('Dismiss');
    await says('2023');
    backend.checkouts = [];
    pollNow();
    await waitFor(() => expect(text()).not.toContain('You have a checkout'));
  });
});
