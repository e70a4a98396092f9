import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { RampButtonElement } from '../../src/element/index.js';
import { messages as german } from '../../src/messages/de.js';
import { getWidgetParameters } from '../../src/protocol/widget/widgetParameters.js';
import '../../src/styles.css';
import { continueBackend, elapseWidgetTime } from '../support/browser/continueBackend.js';
import { fakePopup } from '../support/browser/fakePopup.js';
import { findAxeViolations } from '../support/browser/findAxeViolations.js';
import {
  dialog,
  frameParams,
  waitForDialog,
  widgetUrl,
} from '../support/browser/onRampButtonPage.js';
import { translatePage } from '../support/browser/translatePage.js';

/** Adds an element to the page. */
function show(html: string): RampButtonElement {
  const main = document.createElement('main');
  main.innerHTML = html;
  document.body.append(main);
  return main.querySelector('ramp-button') as RampButtonElement;
}

const basic = `<ramp-button widget-url="${widgetUrl}">Buy Bitcoin</ramp-button>`;
const signed = `<ramp-button widget-url="${widgetUrl}" api="/api/ramp">Buy Bitcoin</ramp-button>`;
const inner = (element: Element) =>
  element.shadowRoot?.querySelector('button') as HTMLButtonElement;
const line = (element: Element) => element.querySelector<HTMLElement>('[slot=note]');
const press = (name: string) => screen.getByRole('button', { name }).click();
const listen = (element: EventTarget, type: string) => {
  const listener = vi.fn<(event: Event) => void>();
  element.addEventListener(type, listener);
  return listener;
};
const detail = (listener: ReturnType<typeof listen>, call = 0) =>
  (listener.mock.calls[call]?.[0] as CustomEvent | undefined)?.detail;

afterEach(() => {
  for (const main of document.querySelectorAll('main')) main.remove();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe('a notice of <ramp-button> in a translated page', () => {
  it('is not shown and announced again while it says the same', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const element = show(signed);
    element.open();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    press('Close the checkout');
    await waitFor(() => expect(line(element)?.textContent).toContain("don't pay again"));
    const translated = translatePage((text) => text.toUpperCase());
    const shown = line(element)?.firstElementChild;
    // The notice is written after each poll.
    const { calls } = vi.mocked(window.fetch).mock;
    const count = calls.length;
    await waitFor(() => expect(calls.length).toBeGreaterThan(count + 1), { timeout: 15_000 });
    translated.stop();
    expect(line(element)?.firstElementChild).toBe(shown);
    expect(line(element)?.textContent).toContain("DON'T PAY AGAIN");
    expect(translated.findStaleTexts()).toEqual([]);
  }, 25_000);
});

describe('the attributes and properties of <ramp-button>', () => {
  it('become the parameters of the widget, in either spelling', async () => {
    const element = show(
      `<ramp-button widget-url="${widgetUrl}" amount="99.50" cryptoCurrency="BTC" default-fiat-currency="EUR"></ramp-button>`,
    );
    element.fiatCurrency = ['USD', 'EUR'];
    element.settings = { extraParams: { theme: 'dark' } };
    element.open();
    await waitForDialog();
    expect(frameParams()).toEqual({
      amount: '99.50',
      cryptoCurrency: 'BTC',
      defaultFiatCurrency: 'EUR',
      fiatCurrency: 'USD,EUR',
      theme: 'dark',
      windowOpen: '1',
    });
  });

  it('accept an attribute without a value for a flag, and for nothing else', () => {
    const element = show(basic);
    for (const { name, format, managed } of getWidgetParameters('on-ramp')) {
      if (managed) continue;
      element.setAttribute(name, '');
      expect(element[name as keyof RampButtonElement], name).toBe(format === 'flag' ? true : '');
    }
  });

  it('are read at each click, and a property replaces the attribute', async () => {
    const element = show(basic);
    element.setAttribute('amount', '5');
    element.amount = '7';
    element.open();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amount: '7' });
    element.close();
    element.amount = undefined;
    element.setAttribute('amount', '8');
    element.open();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amount: '8' });
  });

  it('count when they were set before the element was defined', async () => {
    const name = 'ramp-later';
    const element = document.createElement(name) as RampButtonElement;
    Object.assign(element, { widgetUrl, amount: '12' });
    document.body.append(element);
    customElements.define(name, class extends RampButtonElement {});
    element.open();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amount: '12' });
  });

  it('disable the button', async () => {
    const element = show(basic);
    element.disabled = true;
    expect(inner(element).disabled).toBe(true);
    element.disabled = false;
    expect(inner(element).disabled).toBe(false);
    element.disabled = undefined;
    element.setAttribute('disabled', '');
    expect(inner(element).disabled).toBe(true);
  });

  it('are like those of a button: a disabled fieldset, a name, the focus and a click', async () => {
    const element = show(`<form><fieldset>${basic}</fieldset></form>`);
    const fieldset = element.closest('fieldset') as HTMLFieldSetElement;
    fieldset.disabled = true;
    expect(inner(element).disabled).toBe(true);
    element.click();
    fieldset.disabled = false;
    expect(inner(element).disabled).toBe(false);
    expect(dialog()).toBeNull();
    element.setAttribute('aria-label', 'Buy Bitcoin for my wallet');
    expect(inner(element).ariaLabel).toBe('Buy Bitcoin for my wallet');
    element.removeAttribute('aria-label');
    expect(inner(element).ariaLabel).toBeNull();
    element.focus();
    expect(element.shadowRoot?.activeElement).toBe(inner(element));
    element.click();
    await waitForDialog();
  });

  it('label a button without content, in the language of the messages', () => {
    const element = show('<ramp-button>\n</ramp-button>');
    expect(screen.queryByText('Buy crypto')).toBeNull();
    expect(inner(element).textContent).toBe('Buy crypto');
    element.settings = { messages: german };
    expect(inner(element).textContent).toBe('Krypto kaufen');
    expect(element.childNodes).toHaveLength(0);
  });
});

describe('<ramp-button>', () => {
  it('looks like the React button', () => {
    const element = show(basic);
    const { backgroundColor, minHeight, fontFamily } = getComputedStyle(inner(element));
    const same = document.createElement('button');
    same.className = 'ramp-button';
    document.body.append(same);
    const expected = getComputedStyle(same);
    expect([backgroundColor, minHeight, fontFamily]).toEqual([
      expected.backgroundColor,
      expected.minHeight,
      expected.fontFamily,
    ]);
    expect(getComputedStyle(inner(element), '::before').content).toBe('""');
  });

  it('proposes what is selected, and tells the events of the checkout', async () => {
    const backend = continueBackend();
    const element = show(signed);
    element.cryptoCurrency = 'BTC';
    const opened = listen(document, 'ramp-opened');
    const loaded = listen(element, 'ramp-loaded');
    const closed = listen(element, 'ramp-closed');
    inner(element).click();
    expect(element.dataset.state).toBe('signing');
    expect(inner(element).ariaBusy).toBe('true');
    await waitForDialog();
    expect(element.dataset.state).toBe('open');
    expect(inner(element).ariaBusy).toBe('false');
    await waitFor(() => expect(loaded).toHaveBeenCalledOnce());
    const bodies = vi.mocked(fetch).mock.calls.flatMap(([, init]) => init?.body ?? []);
    expect(bodies.map((body) => JSON.parse(`${body}`))).toEqual([
      { widget: 'on-ramp', params: {}, selection: { cryptoCurrency: 'BTC' } },
    ]);
    const { reference } = backend;
    const event = { widget: 'on-ramp', display: 'modal', reference };
    expect(detail(opened)).toEqual({ type: 'opened', ...event });
    press('Close the checkout');
    await waitFor(() => expect(dialog()).toBeNull());
    expect(detail(closed)).toEqual({ type: 'closed', ...event });
    expect(element.state).toMatchObject({ status: 'idle', reference });
  });

  it('works with the keyboard, and gets the focus back', async () => {
    const element = show(basic);
    await userEvent.tab();
    expect(document.activeElement).toBe(element);
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    expect(dialog()?.parentElement).toBe(document.body);
    expect(document.activeElement).toBe(dialog());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(dialog()).toBeNull());
    expect(element.shadowRoot?.activeElement).toBe(inner(element));
  });

  it('has no axe violations, idle, with the dialog, and with an error', async () => {
    const element = show('<ramp-button amount="x">Buy</ramp-button>');
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await findAxeViolations(document.body)).toEqual([]);
    element.open();
    await waitFor(() => expect(line(element)?.textContent).toMatch(/could not be opened/));
    expect(await findAxeViolations(document.body)).toEqual([]);
    element.widgetUrl = widgetUrl;
    element.amount = '5';
    inner(element).click();
    await waitForDialog();
    expect(line(element)?.textContent).toBe('');
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('opens nothing when the page prevents the click, or when it is disabled', () => {
    const element = show(basic);
    const prevent = (event: Event) => event.preventDefault();
    element.addEventListener('click', prevent, { capture: true });
    inner(element).click();
    expect(element.dataset.state).toBe('idle');
    element.removeEventListener('click', prevent, { capture: true });
    element.disabled = true;
    inner(element).click();
    expect(element.dataset.state).toBe('idle');
  });

  it('keeps several elements apart', async () => {
    const first = show(basic);
    const second = show(basic);
    first.amount = '1';
    second.amount = '2';
    second.open();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amount: '2' });
    expect([first.dataset.state, second.dataset.state]).toEqual(['idle', 'open']);
  });

  it('keeps an open checkout when it moves, and closes it when it is removed', async () => {
    const element = show(basic);
    element.open();
    await waitForDialog();
    document.body.append(element);
    await new Promise((done) => setTimeout(done, 50));
    expect(dialog()?.open).toBe(true);
    element.remove();
    await waitFor(() => expect(dialog()).toBeNull());
    expect(element.dataset.state).toBe('idle');
    document.body.append(element);
    element.open();
    await waitForDialog();
  });

  it.each(['', '<div slot="inline"></div>'])(
    'starts clean from HTML that was saved while it was open: %s',
    async (slot) => {
      const element = show(
        `<ramp-button widget-url="${widgetUrl}" display="inline">Buy${slot}</ramp-button>`,
      );
      element.open();
      await waitFor(() => expect(element.querySelectorAll('iframe')).toHaveLength(1));
      const main = element.closest('main') as HTMLElement;
      const saved = main.innerHTML;
      expect(saved).toContain('<iframe');
      // As htmx does for Back.
      main.innerHTML = saved;
      const restored = main.querySelector('ramp-button') as RampButtonElement;
      expect(restored.querySelectorAll('iframe, [slot=note], .ramp-bar')).toHaveLength(0);
      restored.open();
      await waitFor(() => expect(restored.querySelectorAll('iframe')).toHaveLength(1));
      const copy = restored.cloneNode(true) as RampButtonElement;
      main.append(copy);
      expect(copy.querySelectorAll('iframe')).toHaveLength(0);
      expect(restored.querySelectorAll('iframe')).toHaveLength(1);
    },
  );

  it('removes the note of an earlier life', async () => {
    const element = show(`<ramp-button>Buy</ramp-button>`);
    element.open();
    await waitFor(() => expect(line(element)?.role).toBe('alert'));
    const main = element.closest('main') as HTMLElement;
    main.append(element.cloneNode(true));
    expect(main.querySelectorAll('[role=alert]')).toHaveLength(1);
  });

  it.each([
    ['`display`', { display: 'inline' }],
    ['`autoDisplays`', { display: 'auto', autoDisplays: { browser: 'inline' } }],
  ] as const)('shows an inline widget in its slot, chosen by %s', async (_, settings) => {
    const element = show(basic);
    element.settings = settings;
    element.open();
    await waitFor(() => expect(element.querySelector('[slot=inline] iframe')).not.toBeNull());
    const frame = element.querySelector('iframe') as HTMLIFrameElement;
    expect(frame.getBoundingClientRect().height).toBeGreaterThan(100);
    press('Close the checkout');
    expect(element.querySelector('iframe')).toBeNull();
  });

  it('opens a window during the click, and a link when the browser blocks it', async () => {
    const popup = fakePopup();
    const openWindow = vi.spyOn(window, 'open').mockReturnValueOnce(popup as never);
    const element = show(basic);
    element.display = 'window';
    inner(element).click();
    expect(openWindow).toHaveBeenCalledOnce();
    await waitFor(() => expect(element.dataset.state).toBe('open'));
    expect(popup.location.replace.mock.calls[0]?.[0]).toContain(widgetUrl);
    expect(line(element)?.textContent).toMatch(/open in another window.*Show the checkout window/);
    press('Show the checkout window');
    expect(popup.focus).toHaveBeenCalled();
    element.close();
    openWindow.mockReturnValueOnce(null);
    const blocked = listen(element, 'ramp-blocked');
    inner(element).click();
    await waitFor(() => expect(blocked).toHaveBeenCalledOnce());
    const link = screen.getByRole('link', { name: 'Open the checkout here.' });
    expect(link).toMatchObject({ target: '_blank', rel: 'noreferrer' });
    expect((link as HTMLAnchorElement).href).toContain(widgetUrl);
    expect(link.parentElement?.getAttribute('role')).toBe('alert');
  });
});

it('<ramp-button> opens the display of the failed opening on "Try again"', async () => {
  const element = show(signed);
  const popups = [fakePopup(), fakePopup()];
  let opened = 0;
  vi.spyOn(window, 'open').mockImplementation(() => popups[opened++] as never);
  const fetch = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  element.open('window');
  await screen.findByRole('button', { name: 'Try again' });
  fetch.mockRestore();
  continueBackend();
  press('Try again');
  await waitFor(() => expect(popups[1]?.location.replace).toHaveBeenCalledOnce());
  expect(dialog()).toBeNull();
});

describe('the notice of <ramp-button>', () => {
  async function openAndClose(element: RampButtonElement) {
    inner(element).click();
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    press('Close the checkout');
    await waitFor(() => expect(dialog()).toBeNull());
  }

  it('warns after a checkout that may have been paid, and tells when it is delivered', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const element = show(signed);
    inner(element).focus();
    await openAndClose(element);
    expect(line(element)?.getAttribute('role')).toBe('status');
    expect(line(element)?.textContent).toMatch(/don't pay again.*Continue$/);
    const button = screen.getByRole('button', { name: 'Continue' });
    button.focus();
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(line(element)?.textContent).toMatch(/^Delivered/), {
      timeout: 10_000,
    });
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  }, 15_000);

  it('continues the checkout', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const element = show(signed);
    await openAndClose(element);
    press('Continue');
    expect(element.shadowRoot?.activeElement).toBe(inner(element));
    await waitForDialog();
    expect(frameParams()).toMatchObject({ signature: 'again' });
    expect(backend.requests).toContain(`/checkouts/${backend.reference}/continue`);
  });

  it('asks before a second checkout, and keeps the focus on the answer when the order appears', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const element = show(signed);
    await openAndClose(element);
    inner(element).click();
    await waitFor(() => expect(line(element)?.textContent).toMatch(/^Have you already paid\?/));
    const labels = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(labels()).toEqual(['Continue', 'Start a new checkout']);
    expect(await findAxeViolations(element)).toEqual([]);
    const startNew = screen.getByRole('button', { name: 'Start a new checkout' });
    startNew.focus();
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(
      () => expect(line(element)?.textContent).toMatch(/^You have already paid for this\./),
      { timeout: 10_000 },
    );
    expect(labels()).toEqual(['Start a new checkout']);
    expect(document.activeElement).toBe(startNew);
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    expect(backend.requests).toEqual(['/checkouts', '/checkouts']);
  }, 15_000);

  it('of a new element says that the window of a removed one is open', async () => {
    const popup = fakePopup();
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    vi.spyOn(window, 'open').mockReturnValue(popup as never);
    const removed = show(signed);
    removed.open('window');
    await waitFor(() => expect(popup.location.replace).toHaveBeenCalledOnce());
    removed.remove();
    await waitFor(() => expect(removed.state.status).toBe('idle'));
    const element = show(signed);
    element.open('window');
    await waitFor(() => expect(popup.focus).toHaveBeenCalledOnce());
    await waitFor(() => expect(line(element)?.textContent).toMatch(/^The checkout is open in/));
    expect(window.open).toHaveBeenCalledOnce();
    popup.close();
  });

  it('survives a framework that replaces the text of the element', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const element = show(signed);
    await openAndClose(element);
    const notice = line(element);
    element.textContent = 'Buy more';
    await waitFor(() => expect(line(element)).toBe(notice));
    expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
  });

  it('sends the states of a checkout if it watches', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = { progress: 'finished' };
    const element = show(signed.replace(' api', ' watch api'));
    const changed = listen(element, 'ramp-status-change');
    inner(element).click();
    await waitForDialog();
    await waitFor(() => expect(detail(changed)).toMatchObject({ progress: 'finished' }));
  });
});
