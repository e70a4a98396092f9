import { act, render, screen, waitFor } from '@testing-library/react';
import { createRef, version } from 'react';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, type RampError, RampProvider } from '../../../src/index.js';
import {
  button,
  dialog,
  frameParams,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

declare module 'vitest' {
  interface ProvidedContext {
    reactMajor: number;
  }
}

it('runs with the React version of its test project', () => {
  expect(Number.parseInt(version, 10)).toBe(inject('reactMajor'));
});

describe('<OnRampButton />', () => {
  describe('without a backend (Basic Partner)', () => {
    it('opens the widget unsigned, with every parameter in the format of the service', async () => {
      renderButton({
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
      await waitForDialog();
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

    it('sends amountFixed without amount, and windowOpen with the value of the page', async () => {
      renderButton({ amount: '5', amountFixed: '10', windowOpen: false });
      await userEvent.click(button());
      await waitForDialog();
      expect(frameParams()).toEqual({ amountFixed: '10', windowOpen: '0' });
    });

    it('reports an error for a Premium-only prop instead of dropping it', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      renderButton({ walletAddress: '0xF0', walletAddressLocked: true, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_CONFIG_INVALID');
      expect(dialog()).toBeNull();
    });

    it('refuses a widgetUrl that is not an http: or https: URL', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      renderButton({ widgetUrl: 'javascript:alert(1)', onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0].code).toBe('ERR_CONFIG_INVALID');
    });

    it('refuses an extra parameter with the name of a known one', async () => {
      const onError = vi.fn<(error: RampError) => void>();
      renderButton({ extraParams: { signature: 'x' }, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError.mock.calls[0]?.[0].issues?.[0]?.param).toBe('signature'));
    });
  });

  describe('in a page with conflicting styles and listeners', () => {
    let style: HTMLStyleElement;
    beforeEach(() => {
      style = document.createElement('style');
      document.head.append(style);
    });
    afterEach(() => style.remove());

    it('keeps its styles under common CSS resets', async () => {
      style.textContent = `*, ::before, ::after { margin: 0; padding: 0; box-sizing: border-box }
        button { background: transparent; color: inherit; padding: 0 } iframe { height: auto }
        p, dialog { padding: 0; margin: 0 } body { pointer-events: none }`;
      renderButton();
      const { backgroundColor, paddingInlineStart } = getComputedStyle(button());
      expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
      expect(Number.parseFloat(paddingInlineStart)).toBeGreaterThan(10);
      act(() => button().click());
      await waitForDialog();
      const box = dialog()?.getBoundingClientRect() as DOMRect;
      expect(Math.abs(box.left - (innerWidth - box.right))).toBeLessThan(2);
      const frame = document.querySelector('iframe')?.getBoundingClientRect() as DOMRect;
      expect(frame.height).toBeGreaterThan(box.height * 0.8);
      const close = screen.getByRole('button', { name: 'Close the checkout' });
      const { x, y, width, height } = close.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      expect(close.contains(hit)).toBe(true);
    });

    it('hides clicks and keys in the dialog from a drawer that closes on outside events', async () => {
      const listener = vi.fn();
      const types = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];
      renderButton();
      await userEvent.click(button());
      await waitForDialog();
      for (const type of types) document.addEventListener(type, listener);
      await userEvent.tab();
      await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
      for (const type of types) document.removeEventListener(type, listener);
      const outside = listener.mock.calls.filter(([event]) => event.target !== button());
      expect(outside).toEqual([]);
    });
  });

  describe('as a React component', () => {
    it('passes on native attributes, className, style and ref, and composes event handlers', async () => {
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

    it('renders the element of its render prop', async () => {
      renderButton({ render: (props, { status }) => <button {...props}>mine, {status}</button> });
      const made = screen.getByRole('button', { name: 'mine, idle' });
      await userEvent.click(made);
      await waitForDialog();
      expect(made.textContent).toBe('mine, open');
    });

    it('adds no styles of the package to a custom element', () => {
      renderButton({ className: 'mine', render: (props) => <button {...props} /> });
      const made = button();
      expect(made.className).toBe('mine');
      expect(getComputedStyle(made, '::before').content).toBe('none');
      expect(made.dataset.state).toBe('idle');
      expect(made.getAttribute('aria-busy')).toBe('false');
    });

    it('shows the given messages', async () => {
      render(
        <RampProvider widgetUrl={widgetUrl} messages={{ buy: 'Krypto kaufen', close: 'Schließen' }}>
          <OnRampButton />
        </RampProvider>,
      );
      await userEvent.click(screen.getByRole('button', { name: 'Krypto kaufen' }));
      await waitForDialog();
      expect(screen.getByRole('button', { name: 'Schließen' })).toBeTruthy();
    });

    it('warns once in development, with the name of the prop', async () => {
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
