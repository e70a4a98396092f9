import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { Component, type ReactElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { addOpenedCheckout } from '../../src/client/pageCheckouts.js';
import {
  type CheckoutEvent,
  CheckoutHistory,
  CheckoutNote,
  CheckoutStatus,
  NftCard,
  OnRampButton,
  QuotePreview,
  type RampError,
  useCheckout,
} from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';
import { type CommonProps, componentCases, wrapInPage } from '../support/browser/componentCases.js';
import { continueBackend } from '../support/browser/continueBackend.js';
import { countingSigner } from '../support/browser/countingSigner.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';
import { translatePage } from '../support/browser/translatePage.js';

const { signer } = countingSigner();
const events: CheckoutEvent[] = [];
let warn: MockInstance<typeof console.warn>;
/** A style that React refuses with an error. */
const wrong = { style: 'color: red' } as unknown as CommonProps;

beforeEach(() => {
  events.length = 0;
  vi.spyOn(console, 'error').mockImplementation(() => {});
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  quoteBackend(respondToAll);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const page = (child: ReactNode, settings: object = {}) => (
  <main>
    {wrapInPage(<>{child} The rest of the shop</>, {
      signer,
      onEvent: (event) => events.push(event),
      ...settings,
    })}
  </main>
);
const text = () => screen.getByRole('main').textContent;
const errors = () => events.flatMap((event) => (event.type === 'failed' ? [event.error] : []));

/** The boundary of a page, which shows what it caught. */
class PageBoundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError = ({ message }: Error) => ({ message });
  override render() {
    return this.state.message ? `The page caught: ${this.state.message}` : this.props.children;
  }
}

const Thrower = (): ReactElement => {
  throw new Error('of the page');
};

describe.each(componentCases)('<$name /> that cannot be shown', ({ name, make }) => {
  it('leaves the page, says so, and reports the error', () => {
    render(page(make(wrong), { api: '/api/unused' }));
    expect(text()).toMatch(/^This part of the page isn't working\. .* The rest of the shop$/);
    expect(screen.getByRole('alert')).toBeDefined();
    expect(errors()).toHaveLength(1);
    const [error] = errors();
    expect(error).toMatchObject({
      name: 'RampError',
      code: 'ERR_RENDER',
      message: `${name} could not be shown; see the cause.`,
    });
    expect(`${error?.cause}`).toContain('`style`');
  });

  it('names the last checkout of the tab in the language of the page', () => {
    const api = `/api/${name}`;
    addOpenedCheckout(api, 'r7');
    const { rerender } = render(page(make(wrong), { api, messages: german }));
    const isCard = name === 'CheckoutStatus';
    const words = `Dieser Teil der Seite funktioniert nicht. Laden Sie die Seite neu, um Ihren Kauf zu sehen. Wenn Sie bezahlt haben, zahlen Sie nicht noch einmal. Referenz: ${isCard ? 'r1' : 'r7'} The rest of the shop`;
    expect(text()).toBe(words);
    rerender(page(make(wrong), { api, messages: german, language: 'de' }));
    expect(text()).toBe(words);
    expect(errors()).toHaveLength(1);
  });

  it('leaves a page that the browser has translated', async () => {
    const { rerender } = render(page(make({})));
    const translated = translatePage();
    await act(async () => {});
    rerender(page(make(wrong)));
    await waitFor(() => expect(text()).toMatch(/isn't working.* The rest of the shop/));
    translated.stop();
  });
});

describe('an error in a component', () => {
  it('is passed to onError of a button, and is printed', async () => {
    const onError = vi.fn<(error: RampError) => void>();
    render(page(<OnRampButton {...(wrong as object)} onError={onError} />, { onEvent: undefined }));
    expect(onError.mock.calls.map(([{ code }]) => code)).toEqual(['ERR_RENDER']);
    await waitFor(() =>
      expect(warn.mock.calls.join()).toContain(
        '[partner-ramp] ERR_RENDER: OnRampButton could not be shown; see the cause.',
      ),
    );
  });

  it('is reported although a callback of the page throws', () => {
    const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
    const throwing = () => {
      throw new Error('of the callback');
    };
    render(page(<OnRampButton {...(wrong as object)} onError={throwing} />));
    expect(reported).toHaveBeenCalledOnce();
    expect(errors()).toHaveLength(1);
    expect(text()).toContain('The rest of the shop');
  });

  it('is caught when it is thrown later, by an effect or in the page itself', async () => {
    continueBackend().answers.r1 = {};
    render(page(<CheckoutStatus reference="r1" />));
    await screen.findByText('Not paid yet');
    // Another script has emptied the card.
    document.querySelector('.ramp-status')?.replaceChildren();
    vi.mocked(window.fetch).mockRejectedValue(new TypeError('Failed to fetch'));
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(text()).toContain('The rest of the shop'));
  });

  it('is caught although the messages of the page are its cause', () => {
    const messages = { buy: {}, broken: {}, brokenCheckout: 5 } as object;
    render(page(<OnRampButton />, { messages, api: undefined }));
    expect(text()).toMatch(/The rest of the shop$/);
    expect(errors()).toHaveLength(1);
  });

  it('of a callback in an effect is reported, and the card goes on', async () => {
    const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
    const onQuote = () => {
      throw new Error('of the callback');
    };
    render(page(<QuotePreview defaultValue={{ amount: '100' }} onQuote={onQuote} />));
    await waitFor(() => expect(text()).toContain('97.09'));
    expect(reported).toHaveBeenCalled();
    expect(errors()).toEqual([]);
  });

  it('of the note of useCheckout leaves the page', async () => {
    const Shop = () => {
      const { open } = useCheckout({ widget: 'on-ramp' });
      return (
        <>
          <button type="button" onClick={() => open()}>
            Buy
          </button>
          <CheckoutNote checkout={undefined as never} />
        </>
      );
    };
    const failing = countingSigner(0, () => {
      throw new Error('down');
    });
    render(page(<Shop />, { signer: failing.signer }));
    act(() => screen.getByRole('button', { name: 'Buy' }).click());
    await waitFor(() => expect(text()).toContain("isn't working"));
    expect(text()).toMatch(/^Buy.*The rest of the shop$/);
  });
});

describe("an error of the page's own nodes", () => {
  it.each([
    [
      'children of a button',
      <OnRampButton key="0">
        <Thrower />
      </OnRampButton>,
    ],
    [
      'children of a card',
      <CheckoutStatus key="0" reference="r1">
        <Thrower />
      </CheckoutStatus>,
    ],
    [
      'children of a price card',
      <QuotePreview key="0">
        <Thrower />
      </QuotePreview>,
    ],
    ['a function as children', <QuotePreview key="0">{() => Thrower()}</QuotePreview>],
    ['the function `render`', <CheckoutHistory key="0" render={Thrower} />],
    ['the name of an NFT', <NftCard key="0" name={<Thrower />} price="1" currency="ETH" />],
    [
      'the action of an NFT',
      <NftCard key="0" name="A" action={<Thrower />} price="1" currency="ETH" />,
    ],
  ])('reaches the boundary of the page: %s', (_, child) => {
    render(page(<PageBoundary>{child}</PageBoundary>));
    expect(text()).toBe('The page caught: of the page The rest of the shop');
    expect(errors()).toEqual([]);
  });
});
