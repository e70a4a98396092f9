import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { createRef, StrictMode, version } from 'react';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutEvent,
  OnRampButton,
  type OnRampButtonProps,
  type RampError,
  RampProvider,
  type SignedCheckout,
  useCheckout,
} from '../../src/index.js';
import { countingSigner, signedBy } from '../support/counting-signer.js';
import '../../src/styles.css';

// The frame shows this page's own server: what it answers does not matter here.
const widgetUrl = `${location.origin}/widget`;
const signerMs = 50;

const button = () => screen.getByRole('button', { name: 'Buy crypto' });
const dialog = () => document.querySelector<HTMLDialogElement>('dialog');
const frameParams = () => {
  const frame = document.querySelector('iframe');
  return Object.fromEntries(new URL(frame?.src ?? 'about:blank').searchParams);
};
const opened = () => waitFor(() => expect(dialog()?.open).toBe(true));

const axeFindings = async (root: Element) => {
  // Half faded in, anything has too little contrast.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  const { violations } = await axe.run(root, { rules: { region: { enabled: false } } });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
};

const show = (props: Partial<OnRampButtonProps> = {}) =>
  render(<OnRampButton {...({ widgetUrl, ...props } as OnRampButtonProps)} />);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

declare module 'vitest' {
  interface ProvidedContext {
    reactMajor: number;
  }
}

it('runs with the React that this project is for', () => {
  expect(Number.parseInt(version, 10)).toBe(inject('reactMajor'));
});

describe('<OnRampButton />', () => {
  describe('without a backend (Basic Partner)', () => {
    it('opens the widget unsigned, with every parameter as the service writes it', async () => {
      show({
        amount: '99.50',
        fiatCurrency: ['USD', 'EUR'],
        cryptoCurrency: 'USDT_ERC20,ETH',
        email: 'ann+shop@example.com',
        walletAddress: '0xF0',
        language: 'de',
        partnerId: 'public1',
        ext: 'cart 7',
        extraParams: { theme: 'dark' },
      } as never);
      await userEvent.click(button());
      await opened();
      expect(frameParams()).toEqual({
        amount: '99.50',
        fiatCurrency: 'USD,EUR',
        cryptoCurrency: 'USDT_ERC20,ETH',
        email: 'ann+shop@example.com',
        walletAddress: '0xF0',
        language: 'de',
        partnerId: 'public1',
        ext: 'cart 7',
        theme: 'dark',
        windowOpen: '1',
      });
    });

    it('sends amountFixed alone, and windowOpen as the page says', async () => {
      show({ amount: '5', amountFixed: '10', windowOpen: false });
      await userEvent.click(button());
      await opened();
      expect(frameParams()).toEqual({ amountFixed: '10', windowOpen: '0' });
    });

    it('refuses a Premium-only prop at opening instead of dropping it', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      show({ walletAddress: '0xF0', walletAddressLocked: true, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_CONFIG_INVALID');
      expect(dialog()).toBeNull();
    });

    it('refuses a widgetUrl that is no address of a service', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      show({ widgetUrl: 'javascript:alert(1)', onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_CONFIG_INVALID');
    });

    it('refuses an extra parameter with a name of its own rules', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      show({ extraParams: { signature: 'x' }, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError.mock.calls[0]?.[0].issues?.[0]?.param).toBe('signature'));
    });
  });

  describe('with a signer', () => {
    it('proposes signed parameters alone and merges the others, which replace nothing', async () => {
      const { signer, asked } = countingSigner();
      show({
        signer,
        walletAddress: '0xCLIENT',
        walletAddressLocked: true,
        amount: '100',
        email: 'a@b.example',
        extraParams: { theme: 'dark' },
      });
      await userEvent.click(button());
      await opened();
      expect(asked).toEqual([
        { widget: 'on-ramp', params: { walletAddress: '0xCLIENT', walletAddressLocked: '1' } },
      ]);
      expect(frameParams()).toMatchObject({
        walletAddress: '0xSERVER',
        amount: '100',
        theme: 'dark',
      });
      expect(frameParams().signature).toMatch(/^sig\+\d+=$/);
    });

    it('asks once, however often it renders, hovers, focuses and is clicked', async () => {
      const { signer, asked } = countingSigner(signerMs);
      // A new function at each render, as pages write it.
      const view = () => (
        <StrictMode>
          <RampProvider widgetUrl={widgetUrl} signer={(...args) => signer(...args)}>
            <OnRampButton amount="100" />
          </RampProvider>
        </StrictMode>
      );
      const { rerender } = render(view());
      await userEvent.hover(button());
      for (let i = 0; i < 10; i++) rerender(view());
      await userEvent.dblClick(button());
      await opened();
      for (let i = 0; i < 10; i++) rerender(view());
      expect(asked).toHaveLength(1);
      expect(document.querySelectorAll('dialog')).toHaveLength(1);
    });

    it('navigates within one frame of the click when the signature is there', async () => {
      const { signer, asked } = countingSigner();
      const frames: number[] = [];
      for (let round = 0; round < 5; round++) {
        const { unmount } = show({ signer });
        await userEvent.hover(button());
        await waitFor(() => expect(asked).toHaveLength(round + 1));
        await new Promise((done) => setTimeout(done, 50));
        button().click();
        let count = 0;
        while (!document.querySelector('iframe')?.src && count < 60) {
          await new Promise(requestAnimationFrame);
          count++;
        }
        frames.push(count);
        unmount();
        await userEvent.unhover(document.body);
      }
      expect(frames.sort((a, b) => a - b)[2]).toBeLessThanOrEqual(1);
    });

    it('asks anew for each opening', async () => {
      const { signer, asked } = countingSigner();
      show({ signer });
      const signatures = new Set<string | undefined>();
      for (let i = 0; i < 3; i++) {
        await userEvent.click(button());
        await opened();
        signatures.add(frameParams().signature);
        await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
        await waitFor(() => expect(dialog()).toBeNull());
      }
      expect(signatures.size).toBe(3);
      expect(asked).toHaveLength(3);
    });

    it('does not use a signature that has aged', async () => {
      const { signer, asked } = countingSigner();
      show({ signer, maxAgeSeconds: 0.1 });
      await userEvent.hover(button());
      await waitFor(() => expect(asked).toHaveLength(1));
      await new Promise((done) => setTimeout(done, 200));
      await userEvent.click(button());
      await opened();
      expect(asked).toHaveLength(2);
    });

    it('asks again when a signed prop has changed, and not for an unsigned one', async () => {
      const { signer, asked } = countingSigner();
      const { rerender } = render(
        <OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" amount="1" />,
      );
      await userEvent.hover(button());
      rerender(
        <OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" amount="2" />,
      );
      await userEvent.click(button());
      await opened();
      expect(asked).toHaveLength(1);
      expect(frameParams().amount).toBe('2');
      cleanup();
      const second = render(
        <OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xA" />,
      );
      await userEvent.hover(button());
      second.rerender(<OnRampButton widgetUrl={widgetUrl} signer={signer} walletAddress="0xB" />);
      await userEvent.click(button());
      await opened();
      expect(asked.map(({ params }) => params.walletAddress)).toEqual(['0xA', '0xA', '0xB']);
    });

    it.each([
      ['answers nothing', async () => undefined],
      ['answers no signature', async () => ({ params: { walletAddress: '0xF0' } })],
      [
        'throws',
        async () => {
          throw new Error('boom');
        },
      ],
    ])('opens nothing when the signer %s', async (_, signer) => {
      const onError = vi.fn<(error: RampError) => void>();
      show({ signer: signer as never, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_SIGNER');
      expect(dialog()).toBeNull();
      expect(screen.getByRole('alert').textContent).toContain('could not be opened');
    });

    it('says what went wrong and opens on "Try again"', async () => {
      let fails = true;
      const { signer } = countingSigner();
      show({
        signer: (proposal, options) => {
          if (fails) throw new Error('first time');
          return signer(proposal, options);
        },
      });
      await userEvent.click(button());
      await screen.findByRole('alert');
      expect(button().dataset.state).toBe('error');
      fails = false;
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      await opened();
      expect(screen.queryByRole('alert')).toBeNull();
    });

    it('asks anew on "Try again" after a useless answer', async () => {
      const answers = [{} as SignedCheckout];
      const { signer, asked } = countingSigner(
        0,
        (proposal) => answers.pop() ?? signedBy(proposal),
      );
      show({ signer });
      await userEvent.click(button());
      await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
      await opened();
      expect(asked).toHaveLength(2);
    });

    it('does not abort a request that was answered', async () => {
      const { signer, signals } = countingSigner();
      show({ signer });
      await userEvent.click(button());
      await opened();
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    });

    it('forgets what it was told when the backend, its headers or the signer change', async () => {
      const fetched: string[] = [];
      vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
        fetched.push(`${url} ${new Headers(init?.headers).get('x-user')}`);
        return Response.json(signedBy(JSON.parse(String(init?.body))), { status: 201 });
      });
      const view = (settings: object) => <OnRampButton widgetUrl={widgetUrl} {...settings} />;
      const { rerender } = render(view({ api: '/a/', headers: { 'x-user': '1' } }));
      await userEvent.hover(button());
      rerender(view({ api: '/a/', headers: { 'x-user': '2' } }));
      await userEvent.unhover(button());
      await userEvent.hover(button());
      rerender(view({ api: '/b', headers: { 'x-user': '2' } }));
      await userEvent.click(button());
      await opened();
      expect(fetched).toEqual(['/a/checkouts 1', '/a/checkouts 2', '/b/checkouts 2']);
    });

    it('takes credentials and headers of its own with the api of the provider', async () => {
      const fetched = vi
        .spyOn(window, 'fetch')
        .mockImplementation(async (_, init) =>
          Response.json(signedBy(JSON.parse(String(init?.body))), { status: 201 }),
        );
      render(
        <RampProvider widgetUrl={widgetUrl} api="">
          <OnRampButton headers={{ 'X-Csrf': 't' }} credentials="include" />
        </RampProvider>,
      );
      await userEvent.click(button());
      await opened();
      const [url, init] = fetched.mock.calls[0] ?? [];
      expect([url, init?.credentials]).toEqual(['/checkouts', 'include']);
      expect(new Headers(init?.headers).get('x-csrf')).toBe('t');
    });

    it('keeps a checkout open although the page fails in its own callback', async () => {
      const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
      const onError = vi.fn();
      const fault = new ReferenceError('gtag is not defined');
      const { signer } = countingSigner();
      show({
        signer,
        onError,
        onEvent: () => {
          throw fault;
        },
      });
      await userEvent.click(button());
      await opened();
      expect(button().dataset.state).toBe('open');
      expect(reported).toHaveBeenCalledWith(fault);
      expect(onError).not.toHaveBeenCalled();
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(button().dataset.state).toBe('idle'));
    });

    it('aborts what is under way on unmount and opens nothing later', async () => {
      const { signer, signals } = countingSigner(8 * signerMs);
      const onError = vi.fn();
      const { unmount } = show({ signer, onError });
      await userEvent.click(button());
      unmount();
      expect(signals[0]?.aborted).toBe(true);
      await new Promise((done) => setTimeout(done, 10 * signerMs));
      expect(dialog()).toBeNull();
      expect(onError).not.toHaveBeenCalled();
    });
  });

  describe('the dialog', () => {
    it('is named, holds a named frame with little leave, and tells what happens', async () => {
      const events: CheckoutEvent['type'][] = [];
      show({ onEvent: ({ type }) => events.push(type) });
      await userEvent.click(button());
      await opened();
      expect(screen.getByRole('dialog', { name: 'Checkout' })).toBe(dialog());
      const frame = screen.getByTitle<HTMLIFrameElement>('Checkout');
      expect(frame.allow).toBe('payment; camera; microphone; clipboard-write');
      expect(frame.getAttribute('sandbox')).not.toContain('top-navigation');
      expect(frame.referrerPolicy).toBe('strict-origin');
      await waitFor(() => expect(events).toEqual(['opened', 'loaded']));
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(events).toEqual(['opened', 'loaded', 'closed']));
    });

    it.each(['{Escape}', '{Enter}'])(
      'opens by keyboard, closes with %s and gives the focus back',
      async (key) => {
        const { signer, asked } = countingSigner();
        show({ signer });
        await userEvent.tab();
        expect(document.activeElement).toBe(button());
        await userEvent.keyboard('{Enter}');
        await opened();
        expect(document.activeElement).toBe(
          screen.getByRole('button', { name: 'Close the checkout' }),
        );
        await userEvent.keyboard(key);
        await waitFor(() => expect(dialog()).toBeNull());
        expect(document.activeElement).toBe(button());
        // The focus that came back is no intent.
        expect(asked).toHaveLength(1);
      },
    );

    it('has nothing that axe objects to, with the dialog open and with an error', async () => {
      show();
      await userEvent.click(button());
      await opened();
      expect(await axeFindings(document.body)).toEqual([]);
      cleanup();
      show({ signer: () => Promise.reject(new Error('no')) });
      await userEvent.click(button());
      await screen.findByRole('alert');
      expect(await axeFindings(document.body)).toEqual([]);
    });

    it('keeps its events from the React tree around it', async () => {
      const heard = vi.fn();
      render(
        // biome-ignore lint/a11y: the listener is the test
        <div onClick={heard}>
          <OnRampButton widgetUrl={widgetUrl} />
        </div>,
      );
      await userEvent.click(button());
      await opened();
      heard.mockClear();
      await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
      expect(heard).not.toHaveBeenCalled();
    });

    it('goes away with the component and leaves no trace over many lives', async () => {
      for (let i = 0; i < 20; i++) {
        const { unmount } = show();
        act(() => button().click());
        await opened();
        unmount();
        expect(dialog()).toBeNull();
      }
    });
  });

  describe('display="window"', () => {
    const popup = () => {
      const opened = {
        closed: false,
        opener: window as Window | null,
        document: { body: { textContent: '' } },
        location: { replace: vi.fn<(url: string) => void>() },
        focus: vi.fn(),
        close: vi.fn(() => {
          opened.closed = true;
        }),
      };
      return opened;
    };
    let blank: ReturnType<typeof popup>;
    beforeEach(() => {
      blank = popup();
      vi.spyOn(window, 'open').mockImplementation(() => blank as never);
    });

    it('opens a blank window inside the click, then sends it on without an opener', async () => {
      const { signer } = countingSigner(signerMs);
      show({ signer, display: 'window' });
      act(() => button().click());
      expect(window.open).toHaveBeenCalledOnce();
      expect(blank.location.replace).not.toHaveBeenCalled();
      await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
      expect(blank.opener).toBeNull();
      const url = new URL(blank.location.replace.mock.calls[0]?.[0] ?? '');
      expect(url.searchParams.get('signature')).toMatch(/^sig/);
      expect(url.searchParams.has('windowOpen')).toBe(false);
    });

    it('opens one window for many clicks', async () => {
      const { signer, asked } = countingSigner(signerMs);
      show({ signer, display: 'window' });
      for (let i = 0; i < 50; i++) act(() => button().click());
      await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
      for (let i = 0; i < 50; i++) act(() => button().click());
      expect(window.open).toHaveBeenCalledOnce();
      expect(asked).toHaveLength(1);
      expect(blank.focus).toHaveBeenCalled();
    });

    it('tells when the shopper has closed it, and can open again', async () => {
      const events: string[] = [];
      show({ display: 'window', onEvent: ({ type }) => events.push(type) });
      act(() => button().click());
      await waitFor(() => expect(events).toEqual(['opened']));
      await new Promise((done) => setTimeout(done, 600));
      blank.closed = true;
      await waitFor(() => expect(events).toEqual(['opened', 'closed']));
      expect(button().dataset.state).toBe('idle');
    });

    it('tells of no end where an opener policy of the page hides the window at once', async () => {
      const events: string[] = [];
      show({ display: 'window', onEvent: ({ type }) => events.push(type) });
      act(() => button().click());
      await waitFor(() => expect(events).toEqual(['opened']));
      blank.closed = true;
      await waitFor(() => expect(button().dataset.state).toBe('idle'));
      expect(events).toEqual(['opened']);
    });

    it('tells of the end before it opens again', async () => {
      const events: string[] = [];
      show({ display: 'window', onEvent: ({ type }) => events.push(type) });
      act(() => button().click());
      await waitFor(() => expect(events).toEqual(['opened']));
      blank.closed = true;
      blank = popup();
      act(() => button().click());
      await waitFor(() => expect(events).toEqual(['opened', 'closed', 'opened']));
    });

    it('closes the blank window when signing fails', async () => {
      show({ display: 'window', signer: () => Promise.reject(new Error('no')) });
      act(() => button().click());
      await screen.findByRole('alert');
      expect(blank.close).toHaveBeenCalled();
    });

    it('closes the blank window on unmount while signing, and leaves a window that is in use', async () => {
      const { signer } = countingSigner(signerMs);
      const first = show({ signer, display: 'window' });
      act(() => button().click());
      first.unmount();
      expect(blank.close).toHaveBeenCalled();
      blank = popup();
      const second = show({ signer, display: 'window' });
      act(() => button().click());
      await waitFor(() => expect(blank.location.replace).toHaveBeenCalled());
      second.unmount();
      expect(blank.close).not.toHaveBeenCalled();
    });

    it('shows a link in place of a blocked window, for one opening', async () => {
      vi.mocked(window.open).mockReturnValue(null);
      const onError = vi.fn<(error: RampError) => void>();
      const { signer } = countingSigner();
      const events: string[] = [];
      show({ signer, display: 'window', onError, onEvent: ({ type }) => events.push(type) });
      act(() => button().click());
      const link = await screen.findByRole<HTMLAnchorElement>('link', {
        name: 'Open the checkout here.',
      });
      expect(screen.getByRole('alert').textContent).toContain('The window was blocked.');
      expect(new URL(link.href).searchParams.get('signature')).toMatch(/^sig/);
      expect(link.rel).toBe('noreferrer');
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_WIDGET_BLOCKED');
      link.addEventListener('click', (event) => event.preventDefault());
      await userEvent.click(link);
      await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
      expect(events).toEqual(['blocked', 'opened']);
      expect(document.activeElement).toBe(button());
    });

    it('takes the link away when its signature has aged', async () => {
      vi.mocked(window.open).mockReturnValue(null);
      const { signer } = countingSigner(0, (proposal) => ({
        ...signedBy(proposal),
        expiresInSeconds: 0.3,
      }));
      show({ signer, display: 'window' });
      act(() => button().click());
      await screen.findByRole('link');
      await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
      expect(button().dataset.state).toBe('idle');
    });
  });

  describe('in a page that is hard on it', () => {
    let style: HTMLStyleElement;
    beforeEach(() => {
      style = document.createElement('style');
      document.head.append(style);
    });
    afterEach(() => style.remove());

    it('keeps its looks under the common resets', async () => {
      style.textContent = `*, ::before, ::after { margin: 0; padding: 0; box-sizing: border-box }
        button { background: transparent; color: inherit; padding: 0 } iframe { height: auto }
        p, dialog { padding: 0; margin: 0 } body { pointer-events: none }`;
      show();
      const { backgroundColor, paddingInlineStart } = getComputedStyle(button());
      expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
      expect(Number.parseFloat(paddingInlineStart)).toBeGreaterThan(10);
      act(() => button().click());
      await opened();
      const box = dialog()?.getBoundingClientRect() as DOMRect;
      expect(Math.abs(box.left - (innerWidth - box.right))).toBeLessThan(2);
      const frame = document.querySelector('iframe')?.getBoundingClientRect() as DOMRect;
      expect(frame.height).toBeGreaterThan(box.height * 0.8);
      const close = screen.getByRole('button', { name: 'Close the checkout' });
      const { x, y, width, height } = close.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      expect(close.contains(hit)).toBe(true);
    });

    it('keeps clicks and keys of the dialog from a drawer that closes on anything outside', async () => {
      const heard = vi.fn();
      const types = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];
      show();
      await userEvent.click(button());
      await opened();
      for (const type of types) document.addEventListener(type, heard);
      await userEvent.tab();
      await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
      for (const type of types) document.removeEventListener(type, heard);
      const outside = heard.mock.calls.filter(([event]) => event.target !== button());
      expect(outside).toEqual([]);
    });
  });

  describe('as useCheckout', () => {
    const Custom = (options: Parameters<typeof useCheckout>[0]) => {
      const { open, status } = useCheckout({ widgetUrl, ...options });
      return (
        <button type="button" onClick={() => open()}>
          {status}
        </button>
      );
    };

    it.each([
      ['NFT checkout without a signer', { widget: 'nft' as const }, 'ERR_CONFIG_INVALID'],
      [
        'a signed parameter among the unsigned ones',
        { widget: 'on-ramp' as const, unsignedParams: { walletAddressLocked: '1' } },
        'ERR_PARAMS_INVALID',
      ],
    ])('refuses %s', async (_, options, code) => {
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      const onError = vi.fn<(error: RampError) => void>();
      render(<Custom {...options} onError={onError} />);
      await userEvent.click(screen.getByRole('button', { name: 'idle' }));
      await waitFor(() => expect(onError.mock.calls[0]?.[0].code).toBe(code));
      expect(dialog()).toBeNull();
    });
  });

  describe('as a component', () => {
    it('passes native attributes, className, style and ref on, and composes handlers', async () => {
      const ref = createRef<HTMLButtonElement>();
      const onFocus = vi.fn();
      const onClick = vi.fn((event) => event.preventDefault());
      render(
        <OnRampButton
          ref={ref}
          widgetUrl={widgetUrl}
          id="buy"
          className="mine"
          style={{ color: 'red' }}
          data-x="1"
          onFocus={onFocus}
          onClick={onClick}
        >
          Top up
        </OnRampButton>,
      );
      const made = screen.getByRole('button', { name: 'Top up' });
      expect(ref.current).toBe(made);
      expect(made).toMatchObject({ id: 'buy', type: 'button' });
      expect(made.className).toBe('ramp-button mine');
      expect(made.style.color).toBe('red');
      expect(made.dataset).toMatchObject({ x: '1', state: 'idle' });
      await userEvent.click(made);
      expect(onFocus).toHaveBeenCalled();
      expect(onClick).toHaveBeenCalledOnce();
      expect(dialog()).toBeNull();
    });

    it('draws itself as the render prop says', async () => {
      show({ render: (props, { status }) => <button {...props}>mine, {status}</button> });
      await userEvent.click(screen.getByRole('button', { name: 'mine, idle' }));
      await opened();
      expect(document.querySelector('.ramp-button')?.textContent).toBe('mine, open');
    });

    it('speaks the texts it is given', async () => {
      render(
        <RampProvider widgetUrl={widgetUrl} messages={{ buy: 'Krypto kaufen', close: 'Schließen' }}>
          <OnRampButton />
        </RampProvider>,
      );
      await userEvent.click(screen.getByRole('button', { name: 'Krypto kaufen' }));
      await opened();
      expect(screen.getByRole('button', { name: 'Schließen' })).toBeTruthy();
    });

    it('warns once in development and names the prop', async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const view = <OnRampButton widgetUrl={widgetUrl} amount="1.234" cryptoNetwork="a b" />;
      const { rerender } = render(view);
      for (let i = 0; i < 5; i++) rerender(view);
      await waitFor(() => expect(warn).toHaveBeenCalledOnce());
      expect(warn.mock.calls[0]?.[0]).toMatch(
        /amount must be a decimal[\s\S]*cryptoNetwork must be codes/,
      );
    });
  });
});
