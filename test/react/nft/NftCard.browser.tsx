import { act, cleanup, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../../src/styles.css';
import { NftCard, type NftCardProps, RampProvider } from '../../../src/index.js';
import { messages as german } from '../../../src/messages/de.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';

const { signer, proposals } = countingSigner();
const show = (props: Partial<NftCardProps> = {}) =>
  render(
    <RampProvider widgetUrl={widgetUrl} signer={signer}>
      <NftCard
        name="Survey"
        collection="Fieldnotes"
        image="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"
        price="0.050"
        currency="ETH"
        {...props}
      />
    </RampProvider>,
  );
const mint = { type: 'MINT', mintQuantity: 1, merchantUniqueId: 'print-7' } as const;

describe('<NftCard />', () => {
  it('has the name of the NFT as its accessible name, and passes axe', async () => {
    show({ fiatPrice: 'about 150 USD', button: mint, maxQuantity: 3 });
    const card = screen.getByRole('article', { name: 'Survey' });
    expect(card.textContent).toContain('Fieldnotes');
    expect(card.textContent).toContain('0.05\u00a0ETH');
    expect(card.textContent).toContain('about 150 USD');
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it.each([
    ['in one word', 'x'.repeat(10_000)],
    ['from right to left', 'مطبوعة '.repeat(1500)],
    ['with an unclosed override of the direction', `\u202e${'Survey '.repeat(1500)}`],
  ])('fits a name of 10,000 characters %s', (_, name) => {
    show({ name, collection: name, fiatPrice: 'about 150 USD', button: mint, maxQuantity: 3 });
    const card = screen.getByRole('article');
    expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
    // The direction of the name does not leave its line.
    const [left, right] = ['0.05 ETH', 'about 150 USD'].map(
      (text) => screen.getByText(text).getBoundingClientRect().left,
    );
    expect(left).toBeLessThan(right ?? 0);
  });

  it('shows the price of a MARKET NFT on the button', () => {
    show({ button: { merchantUniqueId: 'print-7' } });
    expect(screen.getByRole('button', { name: 'Buy for 0.05\u00a0ETH' })).toBeDefined();
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('mints the chosen quantity, up to maxQuantity, and shows the exact total', async () => {
    const onQuantityChange = vi.fn();
    show({ price: '0.100000000000000001', button: mint, maxQuantity: 3, onQuantityChange });
    const more = screen.getByRole('button', { name: 'Increase' });
    const fewer = screen.getByRole('button', { name: 'Decrease' });
    expect(fewer.ariaDisabled).toBe('true');
    for (let i = 0; i < 4; i++) await userEvent.click(more, { force: true });
    expect(onQuantityChange.mock.calls).toEqual([[2], [3]]);
    expect(more.ariaDisabled).toBe('true');
    expect(document.activeElement).toBe(more);
    // The output is a live region, so a new quantity is announced with its total.
    expect(screen.getByRole('status').textContent).toBe('3, 0.300000000000000003\u00a0ETH');
    const button = screen.getByRole('button', { name: 'Mint 3 for 0.300000000000000003\u00a0ETH' });
    proposals.length = 0;
    await userEvent.click(button);
    await waitForDialog();
    expect(proposals.at(-1)?.params).toEqual({
      type: 'MINT',
      mintQuantity: '3',
      merchantUniqueId: 'print-7',
    });
  });

  it.each([1, 3])(
    'buys the quantity that the page passes later, with maxQuantity %i',
    async (max) => {
      const card = (mintQuantity: number) => (
        <RampProvider widgetUrl={widgetUrl} signer={signer}>
          <NftCard
            name="Survey"
            price="0.05"
            currency="ETH"
            maxQuantity={max}
            button={{ ...mint, mintQuantity }}
          />
        </RampProvider>
      );
      const { rerender } = render(card(1));
      rerender(card(3));
      proposals.length = 0;
      await userEvent.click(screen.getByRole('button', { name: 'Mint 3 for 0.15\u00a0ETH' }));
      await waitForDialog();
      expect(proposals.at(-1)?.params).toMatchObject({ mintQuantity: '3' });
    },
  );

  it('forgets the chosen quantity when the page passes another one', async () => {
    const card = (mintQuantity: number) => (
      <NftCard
        name="Survey"
        price="0.05"
        currency="ETH"
        maxQuantity={9}
        button={{ ...mint, mintQuantity }}
      />
    );
    const { rerender } = render(card(1));
    const shown = () => screen.getByRole('status').textContent;
    await userEvent.click(screen.getByRole('button', { name: 'Increase' }));
    rerender(card(1));
    expect(shown()).toMatch(/^2/);
    rerender(card(5));
    expect(shown()).toMatch(/^5/);
    await userEvent.click(screen.getByRole('button', { name: 'Decrease' }));
    expect(shown()).toMatch(/^4/);
    rerender(card(1));
    expect(shown()).toMatch(/^1/);
  });

  it('shows a price that is not an amount unchanged, and starts at quantity 1', () => {
    show({ price: '1e-7', button: { ...mint, mintQuantity: 1.5 as number }, maxQuantity: 3 });
    expect(screen.getByRole('button', { name: 'Mint 1 for 1e-7\u00a0ETH' })).toBeDefined();
  });

  it.each<[string, Partial<NftCardProps>, string, string]>([
    ['locale', { locale: 'de' }, 'en', '1.234,5'],
    ['language', { button: { language: 'de' } }, 'fr', '1.234,5'],
    ['the language of the document', {}, 'de', '1.234,5'],
    ['the language of the browser', {}, '', '1,234.5'],
  ])('formats amounts by %s', (_, props, lang, amount) => {
    document.documentElement.lang = lang;
    show({ price: '1234.5', ...props });
    expect(screen.getByRole('article').textContent).toContain(`${amount}\u00a0ETH`);
    document.documentElement.lang = 'en';
  });

  it('hydrates the markup of a server, and then formats as the page does', async () => {
    const card = <NftCard name="Survey" price="1234.5" currency="ETH" />;
    const failed = vi.fn();
    const container = document.createElement('div');
    document.body.append(container);
    container.innerHTML = renderToString(card);
    expect(container.textContent).toContain('1,234.5\u00a0ETH');
    document.documentElement.lang = 'de';
    const root = await act(async () =>
      hydrateRoot(container, card, { onRecoverableError: failed }),
    );
    expect(failed).not.toHaveBeenCalled();
    expect(container.textContent).toContain('1.234,5\u00a0ETH');
    act(() => root.unmount());
    container.remove();
    document.documentElement.lang = 'en';
  });

  it('localizes the quantity', () => {
    show({
      locale: 'de',
      price: '1',
      button: { ...mint, mintQuantity: 1234 },
      maxQuantity: 2000,
    });
    expect(screen.getByRole('button', { name: 'Mint 1.234 for 1.234\u00a0ETH' })).toBeDefined();
    expect(screen.getByRole('status').textContent).toBe('1.234, 1.234\u00a0ETH');
    cleanup();
    const messages = { mintFor: { one: 'Mint one', other: 'Mint {count}' } };
    show({ button: { ...mint, messages } });
    expect(screen.getByRole('button', { name: 'Mint one' })).toBeDefined();
  });

  it('shows the given messages', () => {
    show({ button: { ...mint, messages: german }, maxQuantity: 2 });
    expect(screen.getByRole('button', { name: /^1 für 0.05.ETH minten$/ })).toBeDefined();
    expect(screen.getByRole('group', { name: 'Anzahl', description: 'Survey' })).toBeDefined();
  });

  it('accepts a heading as name, another action, and children', async () => {
    show({
      name: <h3>Survey</h3>,
      action: <button type="button">Sign in to buy</button>,
      children: <p>Ships today.</p>,
    });
    const card = screen.getByRole('article', { name: 'Survey' });
    expect(screen.getByRole('heading', { level: 3, name: 'Survey' })).toBeDefined();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Sign in to buy',
    ]);
    expect(card.lastElementChild?.textContent).toBe('Ships today.');
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('passes on ref, class and native attributes, and supports render', () => {
    const ref = createRef<HTMLElement>();
    show({
      ref,
      className: 'mine',
      id: 'print-7',
      render: (props) => <section {...props} />,
    } as Partial<NftCardProps>);
    expect(ref.current).toMatchObject({ tagName: 'SECTION', id: 'print-7' });
    expect(ref.current?.className).toBe('ramp-nft mine');
  });
});
