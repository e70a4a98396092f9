import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { OnRampWidget } from '../../../../src/sandbox/widget/on-ramp/OnRampWidget.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { localService } from '../localService.js';
import {
  clickButton,
  continueToDetails,
  expectState,
  field,
  getDescription,
  renderOnRampWidget,
  root,
  wallet,
} from '../renderOnRampWidget.js';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe('OnRampWidget', () => {
  it('completes a purchase by keyboard, and announces each screen', async () => {
    const local = renderOnRampWidget({ walletAddress: wallet });
    await userEvent.click(field('You pay'));
    await userEvent.keyboard('100{Enter}');
    const payment = await screen.findByRole('heading', { name: 'Payment' });
    expect(document.activeElement).toBe(payment);
    await userEvent.tab();
    expect(document.activeElement).toBe(field('E-mail'));
    await userEvent.keyboard('ann@shop.example{Enter}');
    await expectState('paying');
    expect(document.activeElement).toBe(
      screen.getByRole('heading', { name: 'Payment in progress' }),
    );
    expect(screen.getByRole('status').textContent).toBe('Sending to the wallet');
    local.step('sending');
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('Confirming on the network'),
    );
    local.step('finished');
    await expectState('finished');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payment complete' }));
    expect(root().textContent).toMatch(/96\.14\d{6} USDT is in the wallet\./);
    expect(root().textContent).toContain(wallet);
    await clickButton('Done');
    // The widget cannot close itself here: these tests run in a frame, as the widget does in a dialog.
    const advice = screen.getByText('Close the checkout to return to the shop.');
    expect(advice.getAttribute('role')).toBe('status');
    expect(local.orders).toHaveLength(1);
  });

  it('pays when the price arrives, if Pay was pressed before', async () => {
    const local = localService({ amount: '100', walletAddress: wallet, email: 'ann@shop.example' });
    let sendQuotes = () => {};
    const held = new Promise<void>((resolve) => {
      sendQuotes = resolve;
    });
    const service = {
      ...local.service,
      quote: async (...args: Parameters<typeof local.service.quote>) => {
        await held;
        return local.service.quote(...args);
      },
    };
    render(<OnRampWidget session={local.session} client={service} />);
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    // Call click() directly, because userEvent would wait until the button is enabled.
    const pay = screen.getByRole('button', { name: 'Pay 100.00 USD' });
    act(() => pay.click());
    expect(pay.getAttribute('aria-disabled')).toBe('true');
    expect(local.orders).toHaveLength(0);
    sendQuotes();
    await expectState('paying');
    expect(local.orders).toHaveLength(1);
  });

  it('pays once when Pay is pressed twice', async () => {
    const local = await continueToDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    await userEvent.dblClick(screen.getByRole('button', { name: 'Pay 100.00 USD' }));
    await expectState('paying');
    expect(local.orders).toHaveLength(1);
  });

  it('shows a short wallet that is copied in full', async () => {
    const local = await continueToDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    local.step('finished');
    await clickButton(/^Pay/);
    await expectState('finished');
    const shown = [...root().querySelectorAll('dd')].find((cell) => cell.textContent === wallet);
    // The address takes up only the width of its short form.
    expect(shown?.querySelector('bdi')?.getBoundingClientRect().width).toBeLessThan(200);
    getSelection()?.selectAllChildren(shown as Element);
    expect(`${getSelection()}`.trim()).toBe(wallet);
  });

  it('keeps the button to pay in view in a low frame', async () => {
    await page.viewport(414, 560);
    await continueToDetails({ walletAddress: wallet });
    const pay = screen.getByRole('button', { name: /^Pay/ });
    expect(document.documentElement.scrollHeight).toBeGreaterThan(innerHeight);
    for (const top of [0, 10_000]) {
      window.scrollTo(0, top);
      expect(pay.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
    }
    await page.viewport(414, 896);
  });

  it('keeps the input when the shopper returns to the first screen', async () => {
    await continueToDetails({ walletAddress: wallet });
    await userEvent.fill(field('E-mail'), 'ann@shop.example');
    await clickButton('Back');
    expect(field('You pay').value).toBe('100');
    await clickButton('Continue');
    expect(field('E-mail').value).toBe('ann@shop.example');
    expect(field('Wallet address').value).toBe(wallet);
  });

  it('shows that the service cannot be reached, and recovers after a retry', async () => {
    const local = localService({ amount: '100' });
    local.reachable(false);
    render(<OnRampWidget session={local.session} client={local.service} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The service cannot be reached.');
    local.reachable(true);
    await clickButton('Try again');
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'You get' }).textContent).toBe('96.14'),
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('announces the price after a change of the amount, but no refresh', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const local = renderOnRampWidget({ amount: '100', defaultCurrency: 'ETH' });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const output = screen.getByRole('status', { name: 'You get' });
    /** The value of `aria-live` at each change of the price. */
    const changes: (string | null)[] = [];
    new MutationObserver(() => changes.push(output.getAttribute('aria-live'))).observe(output, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    await pass(1000);
    local.later(60_000);
    await pass(10_000);
    expect(changes).toEqual(['off', 'off']);
    fireEvent.change(field('You pay'), { target: { value: '250' } });
    await pass(1000);
    local.later(60_000);
    await pass(10_000);
    expect(changes).toEqual(['off', 'off', 'polite', 'off']);
  });

  it('refreshes the price, and stops after the payment', async () => {
    const email = 'ann@shop.example';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const local = renderOnRampWidget({
      amount: '100',
      walletAddress: wallet,
      defaultCurrency: 'ETH',
      email,
    });
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const rate = () => root().querySelector('.exchange-rate')?.textContent;
    await pass(1000);
    const before = rate();
    expect(before).toMatch(/^1 ETH = /);
    local.later(60_000);
    await pass(10_000);
    expect(rate()).toMatch(/^1 ETH = /);
    expect(rate()).not.toBe(before);
    fireEvent.submit(root().querySelector('form') as Element);
    fireEvent.submit(root().querySelector('form') as Element);
    await pass(0);
    expect(root().dataset.state).toBe('paying');
    const quoteCount = local.countQuotes();
    await pass(10_000);
    expect(local.countQuotes()).toBe(quoteCount);
  });

  it('shows a test card that cannot be edited or autofilled', async () => {
    await continueToDetails();
    const card = field('Card number');
    expect(card.value).toBe('4242 4242 4242 4242');
    for (const name of ['Card number', 'Expiry date', 'Security code']) {
      expect(field(name).readOnly).toBe(true);
      expect(field(name).autocomplete).toBe('off');
    }
  });
});

describe('The transaction in the receipt of OnRampWidget', () => {
  const finish = async () => {
    const local = await continueToDetails({ walletAddress: wallet, email: 'ann@shop.example' });
    local.step('finished');
    await clickButton(/^Pay/);
    await expectState('finished');
  };

  it('is copied by a button that names it, and the copy is announced', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await finish();
    await clickButton('Copy the transaction ID');
    expect(writeText).toHaveBeenCalledWith(`0x${'ab'.repeat(32)}`);
    await waitFor(() =>
      expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
        'Copied',
      ),
    );
    writeText.mockRestore();
  });

  it('is shown in full and takes the focus if the browser does not allow copying', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error());
    await finish();
    await clickButton('Copy the transaction ID');
    await waitFor(() => expect(document.activeElement?.textContent).toBe(`0x${'ab'.repeat(32)}`));
    writeText.mockRestore();
  });
});

describe('Errors in OnRampWidget', () => {
  it('are shown at their fields, which receive the focus', async () => {
    renderOnRampWidget();
    await clickButton('Continue');
    expect(document.activeElement).toBe(field('You pay'));
    expect(getDescription(field('You pay'))).toContain('Enter an amount.');
    await userEvent.keyboard('5');
    expect(getDescription(field('You pay'))).toContain('At least 15.00 USD.');
    await userEvent.fill(field('You pay'), '5000.01');
    expect(getDescription(field('You pay'))).toContain('At most 5,000.00 USD.');
    await userEvent.fill(field('You pay'), '20.001');
    expect(getDescription(field('You pay'))).toContain('such as 99.50');
    await userEvent.fill(field('You pay'), '20,50');
    expect(field('You pay').getAttribute('aria-invalid')).toBeNull();
    await clickButton('Continue');
    await screen.findByRole('heading', { name: 'Payment' });
    await clickButton('Pay 20.50 USD');
    expect(document.activeElement).toBe(field('E-mail'));
    expect(getDescription(field('E-mail'))).toContain('Enter an e-mail address');
    expect(getDescription(field('Wallet address'))).toContain(
      'Enter a wallet address on Ethereum.',
    );
  });

  it('can be avoided, because required fields say so', async () => {
    await continueToDetails();
    expect(field('E-mail').required).toBe(true);
    expect(field('Wallet address').required).toBe(true);
  });

  it('about the service are repeated by Continue', async () => {
    const local = localService({ amount: '100' });
    local.reachable(false);
    render(<OnRampWidget session={local.session} client={local.service} />);
    const first = await screen.findByRole('alert');
    await clickButton('Continue');
    await waitFor(() => expect(first.isConnected).toBe(false));
    expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached');
    expect(root().dataset.step).toBe('amount');
  });

  it('are not shown while the shopper is typing', async () => {
    renderOnRampWidget();
    await userEvent.click(field('You pay'));
    await userEvent.keyboard('1');
    expect(field('You pay').getAttribute('aria-invalid')).toBeNull();
    await userEvent.tab();
    expect(field('You pay').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('Accessibility of OnRampWidget', () => {
  it.each(['en', 'ar'])('has no findings of axe on any screen: %s', async (language) => {
    const local = renderOnRampWidget({ walletAddress: wallet, walletAddressLocked: '1', language });
    const submit = () => userEvent.click(root().querySelector('[type=submit]') as Element);
    await submit();
    expect(await findAxeViolations()).toEqual([]);
    await userEvent.fill(screen.getAllByRole('textbox')[0] as Element, '100');
    await waitFor(() => expect(root().querySelector('[data-stale=false]')).not.toBeNull());
    expect(await findAxeViolations()).toEqual([]);
    await submit();
    await submit();
    expect(await findAxeViolations()).toEqual([]);
    await userEvent.fill(screen.getAllByRole('textbox')[0] as Element, 'ann@shop.example');
    await submit();
    await expectState('paying');
    expect(await findAxeViolations()).toEqual([]);
    local.step('finished');
    await expectState('finished');
    expect(await findAxeViolations()).toEqual([]);
  });
});
