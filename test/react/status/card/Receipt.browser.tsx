import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createStatusView } from '../../../../src/client/status/statusView.js';
import type { CheckoutResponse } from '../../../../src/index.js';
import { createReceipt, Receipt } from '../../../../src/react/status/card/Receipt.js';
import { hash, order } from '../../../support/browser/checkoutStatusPage.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { createCheckoutResponse } from '../../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Returns a list to which each new text of the element is added. */
function watchTexts(element: Element): string[] {
  const texts: string[] = [];
  new MutationObserver(() => texts.push(element.textContent ?? '')).observe(element, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  return texts;
}

const exact = { ...order, orderId: 'order-7', cryptoCurrencyAmount: '97.123456789012345678' };
const paid = createCheckoutResponse({ progress: 'finished', orders: [exact] });
const view = (data: CheckoutResponse) => createStatusView({ data }, undefined, 'en-GB');
const renderReceipt = (data: CheckoutResponse) =>
  render(<Receipt checkout={data} view={view(data)} />);
const lines = (data: CheckoutResponse) =>
  createReceipt(data, view(data)).map((line) => line.join(': ').replace(/\u00a0/g, ' '));

describe('createReceipt', () => {
  it('has the reference, the order number, the time with its year, and amounts with every digit', () => {
    expect(lines(paid)).toEqual([
      'Reference: r1',
      'Order number: order-7',
      expect.stringMatching(/^Date: \d+ \w+ 2026, \d+:\d+$/),
      'You paid: 100.00 USD',
      'You received: 97.123456789012345678 USDT',
      'Network: Ethereum',
      `Transaction: ${hash}`,
    ]);
  });

  it('has the lines of each paid order, and only those', () => {
    const second = { ...exact, orderId: 'order-8' };
    const orders = [exact, second, { ...exact, orderId: 'order-9', state: 'unknown' as const }];
    const numbers = lines({ ...paid, orders }).filter((line) => line.startsWith('Order number'));
    expect(numbers).toEqual(['Order number: order-7', 'Order number: order-8']);
  });

  it('omits what is not known', () => {
    expect(lines({ ...paid, orders: [{ state: 'finished' }] })).toEqual(['Reference: r1']);
  });
});

describe('<Receipt />', () => {
  it('copies the receipt as text', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    renderReceipt(paid);
    await userEvent.click(screen.getByRole('button', { name: 'Copy receipt' }));
    expect(write.mock.lastCall?.[0].split('\n')).toHaveLength(7);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'));
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('announces each copy, and keeps the name of the button', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    renderReceipt(paid);
    const texts = watchTexts(screen.getByRole('status'));
    const button = screen.getByRole('button', { name: 'Copy receipt' });
    await userEvent.click(button);
    await waitFor(() => expect(texts).toEqual(['Copied']));
    await userEvent.click(button);
    await waitFor(() => expect(texts).toEqual(['Copied', '', 'Copied']));
    expect(screen.getByRole('button', { name: 'Copy receipt' })).toBe(button);
  });

  it('shows the text if the browser does not allow copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    renderReceipt(paid);
    await userEvent.click(screen.getByRole('button', { name: 'Copy receipt' }));
    const text = await screen.findByRole('textbox', { name: 'Receipt' });
    expect((text as HTMLTextAreaElement).value).toContain('Order number: order-7');
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('prints the receipt and nothing else of the page', async () => {
    const printed: string[] = [];
    const focused: (string | undefined)[] = [];
    const append = document.body.append.bind(document.body);
    vi.spyOn(document.body, 'append').mockImplementation((...nodes) => {
      const [frame] = nodes as [HTMLIFrameElement];
      append(frame);
      const target = frame.contentWindow as Window;
      target.print = () => {
        printed.push(target.document.body.innerText);
        focused.push(document.activeElement?.tagName);
        target.dispatchEvent(new Event('afterprint'));
      };
    });
    renderReceipt(paid);
    await userEvent.click(screen.getByRole('button', { name: 'Print receipt' }));
    await waitFor(() => expect(printed).toHaveLength(1));
    expect(printed[0]).toMatch(/^Receipt\s/);
    expect(printed[0]).toContain('97.123456789012345678');
    expect(printed[0]).not.toContain('Copy receipt');
    await waitFor(() => expect(document.querySelector('iframe')).toBeNull());
    expect(focused).toEqual(['IFRAME']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Print receipt' }));
  });

  it('offers no receipt before a payment', () => {
    renderReceipt(createCheckoutResponse({ progress: 'expired' }));
    expect(screen.getByText('r1')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
