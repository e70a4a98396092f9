import { QueryClient } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { cloneElement, type ReactElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutDisplay,
  NftCard,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampError,
} from '../../src/index.js';
import { componentCases, wrapInPage } from '../support/browser/componentCases.js';
import { countingSigner } from '../support/browser/countingSigner.js';
import '../support/browser/onRampButtonPage.js';
import { fakePopup } from '../support/browser/fakePopup.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';

const { signer } = countingSigner(5);
const never = () => new Promise<never>(() => {});
const wait = window.setTimeout.bind(window);
/** A timeout that is long enough for a busy machine. */
const long = { timeout: 120_000 };
const pause = (ms: number) => new Promise((done) => wait(done, ms));

/** Counts listeners of `window` and `document`, and timers that have neither run nor been cleared. */
function counted() {
  const listeners = new Map<string, number>();
  const count = (by: number) => (type: string) =>
    listeners.set(type, (listeners.get(type) ?? 0) + by);
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = target;
    vi.spyOn(target, 'addEventListener').mockImplementation((type, ...rest) => {
      count(1)(type);
      const { signal } = Object(rest[1]) as AddEventListenerOptions;
      signal?.addEventListener('abort', () => count(-1)(type));
      add.call(target, type, ...(rest as [EventListener]));
    });
    vi.spyOn(target, 'removeEventListener').mockImplementation((type, ...rest) => {
      count(-1)(type);
      remove.call(target, type, ...(rest as [EventListener]));
    });
  }
  const timers = new Set<unknown>();
  const { setTimeout: later, setInterval: often, clearTimeout: clear } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    const id = later(() => {
      timers.delete(id);
      run();
    }, ms);
    timers.add(id);
    return id;
  }) as never);
  vi.spyOn(window, 'setInterval').mockImplementation(((run: () => void, ms?: number) => {
    const id = often(run, ms);
    timers.add(id);
    return id;
  }) as never);
  for (const name of ['clearTimeout', 'clearInterval'] as const)
    vi.spyOn(window, name).mockImplementation((id) => {
      timers.delete(id);
      clear(id as number);
    });
  return () => ({
    listeners: [...listeners].filter(([, balance]) => balance > 0),
    timers: timers.size,
  });
}

const onPage = () => document.querySelectorAll('dialog, iframe, .ramp-note, .ramp-inline').length;

afterEach(() => vi.restoreAllMocks());

describe('1,000 components that mount and unmount', () => {
  it('leave no listener, timer, dialog, window or request behind', long, async () => {
    const windows: ReturnType<typeof fakePopup>[] = [];
    vi.spyOn(window, 'open').mockImplementation(() => {
      windows.push(fakePopup());
      return windows.at(-1) as never;
    });
    const { requests } = quoteBackend(respondToAll);
    const client = new QueryClient();
    const page = (child: ReactElement) => wrapInPage(child, { signer }, client);
    const { rerender, unmount } = render(page(<i />));
    // React adds its own listeners only once and keeps them, so the count begins after the first render.
    await pause(50);
    const left = counted();
    let shown = 0;
    for (let i = 0; i < 1000; i++) {
      const { name, make } = componentCases[
        i % componentCases.length
      ] as (typeof componentCases)[number];
      const display = i % 8 < 4 ? 'modal' : 'window';
      // Only these two components have a prop `display`.
      const isButton = /^(OnRampButton|NftCheckout)$/.test(name);
      // Each buys something else: a second click for the same purchase shows its window.
      const goods = name === 'NftCheckout' ? { merchantUniqueId: `${i}` } : { amount: `${i + 1}` };
      const button = isButton ? cloneElement(make({}), { display, ...goods } as object) : make({});
      rerender(page(button));
      const element = screen.queryAllByRole('button').at(-1);
      // A third of the components unmount at rest, a third with a focused button, and a third after a click.
      if (i % 3) element?.focus();
      if (i % 3 === 2) element?.click();
      if (isButton && i % 9 === 2) {
        await pause(40);
        shown += onPage();
      }
      rerender(page(<i />));
    }
    unmount();
    const isNavigated = ({ location }: (typeof windows)[number]) =>
      location.replace.mock.calls.length > 0;
    // A navigated window stays open for the shopper; a blank one is closed.
    const blank = () => windows.filter((each) => !isNavigated(each));
    await waitFor(() => expect(blank().filter(({ closed }) => !closed)).toEqual([]));
    expect(blank().length).toBeGreaterThan(10);
    expect(windows.filter(isNavigated).filter(({ closed }) => closed)).toEqual([]);
    // The page looks every 250 ms whether the shopper has closed a window.
    for (const each of windows) each.closed = true;
    // The page owns the QueryClient, whose cache has timers of its own.
    client.clear();
    // `waitFor` has timers of its own, which would be counted.
    for (let tries = 0; tries < 50 && left().timers > 0; tries++) await pause(100);
    expect(left()).toEqual({ listeners: [], timers: 0 });
    expect(shown).toBeGreaterThan(10);
    expect(onPage()).toBe(0);
    expect(requests.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

interface Stage {
  readonly name: string;
  readonly display?: CheckoutDisplay;
  readonly signer?: typeof signer;
  readonly blocked?: true;
  readonly reach: (button: HTMLElement) => Promise<unknown>;
}

const click = async (button: HTMLElement) => act(() => button.click());
const becomes = (state: string) => (button: HTMLElement) => {
  act(() => button.click());
  return waitFor(() => expect(button.dataset.state).toBe(state));
};
const refusing = () => Promise.reject(new RampError('ERR_POLICY_REFUSED', 'No.'));

const hanging = vi.fn(never);

const stages: readonly Stage[] = [
  { name: 'at rest', reach: async () => {} },
  { name: 'with the focus', reach: async (button) => button.focus() },
  {
    name: 'while the signature is fetched ahead',
    signer: hanging,
    reach: async (button) => {
      await userEvent.hover(button);
      await waitFor(() => expect(hanging).toHaveBeenCalled());
    },
  },
  { name: 'in the task of the click', reach: click },
  { name: 'while it signs', signer: never, reach: becomes('signing') },
  { name: 'with a blank window', display: 'window', signer: never, reach: becomes('signing') },
  { name: 'with the dialog open', reach: becomes('open') },
  { name: 'with the widget in the page', display: 'inline', reach: becomes('open') },
  { name: 'with a window open', display: 'window', reach: becomes('open') },
  { name: 'with a blocked window', display: 'window', blocked: true, reach: becomes('blocked') },
  { name: 'after an error', signer: refusing, reach: becomes('error') },
];

const buttons = {
  OnRampButton: (props: object) => <OnRampButton {...props} />,
  NftCheckout: (props: object) => <NftCheckout {...props} />,
  NftCard: (props: object) => <NftCard name="Survey" price="1" currency="ETH" button={props} />,
  'OnRampButton in a QuotePreview': (props: object) => (
    <QuotePreview defaultValue={{ amount: '100', fiatCurrency: 'USD' }}>
      <OnRampButton {...props}>Buy</OnRampButton>
    </QuotePreview>
  ),
};

describe.each(Object.entries(buttons))('<%s /> unmounts', (_, make) => {
  it.each(stages)('$name without leftovers or errors', async (stage) => {
    quoteBackend(respondToAll);
    const blank = fakePopup();
    vi.spyOn(window, 'open').mockReturnValue(stage.blocked ? null : (blank as never));
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { display } = stage;
    const { unmount } = render(wrapInPage(make({ display }), { signer: stage.signer ?? signer }));
    const name = /^(Buy|1 für)/;
    await userEvent.unhover(document.body);
    hanging.mockClear();
    await waitFor(() => {
      const button = screen.getAllByRole('button', { name }).at(-1);
      expect(button?.getAttribute('aria-disabled')).not.toBe('true');
    });
    await stage.reach(screen.getAllByRole('button', { name }).at(-1) as HTMLElement);
    unmount();
    await waitFor(() => {
      expect(onPage()).toBe(0);
      expect(blank.closed).toBe(display === 'window' && stage.signer === never);
    });
    // Ignores React's warnings about act(), which concern only this test.
    expect(printed.mock.calls.filter(([text]) => !/\bact\(/.test(text))).toEqual([]);
  });
});
