import type { Meta, StoryObj } from '@storybook/react-vite';
import { onlineManager } from '@tanstack/react-query';
import { http } from 'msw';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { failRoute, rampBackend, respondWithError, stallRoute } from '../demo/rampBackend.js';
import { OnRampButton, QuotePreview, type QuotePreviewStatus } from '../src/index.js';
import { OwnPriceForm } from './support/OwnPriceForm.js';
import { loadQueryClient, withQueryClient } from './support/ownQueryClient.js';

const meta = {
  title: 'Components/QuotePreview',
  component: QuotePreview,
  decorators: [withQueryClient],
  loaders: [loadQueryClient],
  args: {
    defaultValue: { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' },
    onValueChange: fn(),
    onQuote: fn(),
    children: <OnRampButton style={{ inlineSize: '100%' }} />,
  },
  argTypes: {
    buyType: {
      description: 'The kind of amount: fiat, or the price of an NFT in cryptocurrency.',
      control: 'inline-radio',
      options: ['fiat', 'nft'],
      table: { type: { summary: "'fiat' | 'nft'" }, defaultValue: { summary: 'fiat' } },
    },
    defaultValue: {
      description:
        'The initial selection: `amount`, `fiatCurrency`, `cryptoCurrencyCode`, `payment`.',
      control: 'object',
      table: { type: { summary: 'Partial<QuoteSelection>' } },
    },
    value: {
      description: 'The selection, if the page controls it.',
      control: 'object',
      table: { type: { summary: 'QuoteSelection' } },
    },
    fiatCurrency: { description: 'The allowed fiat currencies.', control: 'text' },
    cryptoCurrency: { description: 'The allowed cryptocurrencies.', control: 'text' },
    cryptoNetwork: { description: 'The allowed networks.', control: 'text' },
    walletChains: {
      description: 'The chains on which the user has a wallet.',
      control: 'object',
      table: { type: { summary: 'string[]' } },
    },
    presetAmounts: {
      description: 'Amounts to choose with one press: a list, or a list for each fiat currency.',
      control: 'object',
      table: { type: { summary: 'string[] | Record<string, string[]>' } },
    },
    refreshSeconds: {
      description: 'How often the quote is refreshed, in seconds.',
      control: { type: 'number', min: 5 },
      table: { type: { summary: 'number' }, defaultValue: { summary: '30' } },
    },
    locale: { description: 'The locale of amounts.', control: 'text' },
    children: { description: 'An `OnRampButton` in it buys the selection.', control: false },
    onValueChange: { description: 'Called with each new selection.' },
    onQuote: {
      description: 'Called with each quote of the selection, and with `undefined` without one.',
    },
  },
} satisfies Meta<typeof QuotePreview>;

export default meta;

type Story = StoryObj<typeof meta>;

const findCard = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-quote');

const expectState = (canvas: HTMLElement, state: QuotePreviewStatus) =>
  waitFor(() => expect(findCard(canvas)).toHaveAttribute('data-state', state), { timeout: 5000 });

const amountField = (canvas: HTMLElement) => within(canvas).getByRole('textbox');

/** Opens the list of coins, and returns its search field. */
async function openCoins(canvasElement: HTMLElement): Promise<HTMLElement> {
  await expectState(canvasElement, 'success');
  const [, coins] = canvasElement.querySelectorAll<HTMLElement>('.ramp-quote-pill');
  if (coins) await userEvent.click(coins);
  return within(canvasElement).findByRole('combobox');
}

/** A quote for 100 USD with its fees, and a button that buys it. */
export const Quote: Story = {
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    await expect(args.onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ currencyAmount: '100.00', cryptoCurrencyCode: 'USDT_ERC20' }),
    );
    await userEvent.click(within(canvasElement).getByText(messages.priceBreakdown));
    await expect(within(canvasElement).getByText(messages.totalFee)).toBeVisible();
  },
};

/** Amounts to choose with one press. Amounts outside the payment method's limits are left out. */
export const PresetAmounts: Story = {
  args: { presetAmounts: ['5', '50', '100', '250'] },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'success');
    const presets = [...canvasElement.querySelectorAll('.ramp-quote-presets button')];
    await expect(presets).toHaveLength(3);
    if (presets[2]) await userEvent.click(presets[2]);
    await expect(presets[2]).toHaveAttribute('aria-pressed', 'true');
    await expectState(canvasElement, 'success');
  },
};

/** The list of currencies, with search and arrow keys. */
export const ListOfCurrencies: Story = {
  async play({ canvasElement }) {
    const search = await openCoins(canvasElement);
    await userEvent.type(search, 'eth');
    const options = within(canvasElement).getAllByRole('option');
    for (const option of options) await expect(option).toHaveTextContent(/eth/i);
  },
};

/** No currency has the name that the shopper searches for. */
export const NothingFound: Story = {
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.type(await openCoins(canvasElement), 'shells');
    await expect(await canvas.findByText(messages.noCurrencyFound)).toBeVisible();
    await expect(canvas.queryByRole('option')).toBeNull();
  },
};

/** On a phone, the list fills the screen. */
export const ListOnPhone: Story = {
  globals: { viewport: { value: 'mobile1' } },
  async play({ canvasElement }) {
    await openCoins(canvasElement);
    const options = within(canvasElement).getAllByRole('option');
    await expect(options.length).toBeGreaterThan(3);
  },
};

/** Only coins on the chains of the user's wallets. The widget gets the selected coin only. */
export const OwnWallets: Story = {
  args: { walletChains: ['arbitrum'] },
  async play({ canvasElement }) {
    await openCoins(canvasElement);
    for (const option of within(canvasElement).getAllByRole('option'))
      await expect(option).toHaveTextContent('Arbitrum');
  },
};

/** A skeleton until the currencies load, without a layout shift afterwards. */
export const Loading: Story = {
  beforeEach({ msw }) {
    msw.use(stallRoute('currencies'));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'loading'),
};

/** The page names the whole selection, so the price is requested together with the lists, and is there as soon as they are. */
export const NamedPriceEarly: Story = {
  args: {
    defaultValue: {
      amount: '100',
      fiatCurrency: 'USD',
      cryptoCurrencyCode: 'USDT_ERC20',
      payment: 'CREDIT_DEBIT_CARD',
    },
  },
  async play({ canvasElement, msw, mount }) {
    const requested: string[] = [];
    const note = (name: string) => () => void requested.push(name);
    let release = () => {};
    const listed = new Promise<void>((resolve) => {
      release = resolve;
    });
    msw.use(
      http.get('*/api/ramp/quote', note('quote')),
      http.get('*/api/ramp/currencies', () => listed),
    );
    await mount();
    await waitFor(() => expect(requested).toEqual(['quote']));
    await expectState(canvasElement, 'loading');
    release();
    await expectState(canvasElement, 'success');
    await expect(requested).toEqual(['quote']);
  },
};

/** The service has no currencies for sale, so the card shows a note in place of its fields. */
export const NoCurrencies: Story = {
  beforeEach({ msw }) {
    msw.use(...rampBackend({ currencies: [] }));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'empty'),
};

/** Without an amount, the card requests no quote, and its button asks for an amount. */
export const NoAmount: Story = {
  args: { defaultValue: { fiatCurrency: 'EUR' } },
  play: ({ canvasElement }) => expectState(canvasElement, 'idle'),
};

/** The shopper has changed the amount. The last price is dimmed until the next one loads. */
export const Refreshing: Story = {
  async play({ canvasElement, msw }) {
    await expectState(canvasElement, 'success');
    msw.use(stallRoute('quote'));
    await userEvent.type(amountField(canvasElement), '0');
    await expectState(canvasElement, 'refreshing');
    await expect(findCard(canvasElement)).toHaveTextContent(/You get.*96\.\d+/);
  },
};

/** The service is down, so the card shows the last price with its age. */
export const Stale: Story = {
  beforeEach({ msw }) {
    msw.use(...rampBackend({ stale: true, ageSeconds: 90 }));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'stale'),
};

/** The amount is below the minimum of the payment method. A button enters the minimum. */
export const BelowMinimum: Story = {
  args: { defaultValue: { amount: '5', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvas, canvasElement, args }) {
    await expectState(canvasElement, 'below');
    await expect(amountField(canvasElement)).toBeInvalid();
    await userEvent.click(canvas.getByRole('button', { name: /15/ }));
    await expectState(canvasElement, 'success');
    await expect(args.onValueChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ amount: '15' }),
    );
    await userEvent.clear(amountField(canvasElement));
    await userEvent.type(amountField(canvasElement), '5');
    await expectState(canvasElement, 'below');
  },
};

/** The amount is above the maximum of the payment method. A button enters the maximum. */
export const AboveMaximum: Story = {
  args: { defaultValue: { amount: '9000', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvas, canvasElement }) {
    await expectState(canvasElement, 'above');
    await expect(canvas.getByRole('button', { name: /5,000/ })).toBeVisible();
  },
};

/** The typed text is not exactly one amount: 1.5 or 1500. The card says how to write it, and has no amount. */
export const UnclearAmount: Story = {
  async play({ canvas, canvasElement }) {
    await expectState(canvasElement, 'success');
    await userEvent.clear(amountField(canvasElement));
    await userEvent.type(amountField(canvasElement), '1.500');
    await expectState(canvasElement, 'idle');
    await expect(amountField(canvasElement)).toBeInvalid();
    await expect(await canvas.findByText(/Write the amount like 1500\.50/)).toBeVisible();
  },
};

/** Both currencies are available, but not as a pair. */
export const UnavailablePair: Story = {
  args: { defaultValue: { amount: '20000', fiatCurrency: 'JPY', cryptoCurrencyCode: 'TRX' } },
  play: ({ canvasElement }) => expectState(canvasElement, 'unavailable'),
};

/** Without a connection the last price stays visible. It is refreshed when the connection is back. */
export const Offline: Story = {
  async play({ canvas, canvasElement, globals }) {
    await expectState(canvasElement, 'success');
    onlineManager.setOnline(false);
    await expectState(canvasElement, 'offline');
    await expect(canvas.getByText(findLanguage(globals).messages.priceOffline)).toBeVisible();
    await expect(findCard(canvasElement)).toHaveTextContent(/You get.*96\.\d+/);
  },
  // Restores the connection for the next story.
  beforeEach: () => () => onlineManager.setOnline(true),
};

/** Without a connection from the start, there is no price and no currency yet. */
export const OfflineFromTheStart: Story = {
  beforeEach() {
    onlineManager.setOnline(false);
    return () => onlineManager.setOnline(true);
  },
  async play({ canvas, canvasElement, globals }) {
    await expectState(canvasElement, 'offline');
    await expect(canvas.getByText(findLanguage(globals).messages.priceOffline)).toBeVisible();
  },
};

/** The quote could not be fetched. A button tries again. */
export const Failed: Story = {
  beforeEach({ msw }) {
    msw.use(
      respondWithError('quote', 503, 'ERR_API_RESPONSE', 'Prices are not available at the moment.'),
    );
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(messages.priceFailed, { exact: false })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
  },
};

/** The next price could not be fetched, so the last one stays with its age. A button tries again. */
export const RefreshFailed: Story = {
  // The shortest interval, so that the next price is requested soon.
  args: { refreshSeconds: 5 },
  async play({ canvas, canvasElement, globals, msw }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    msw.use(failRoute('quote'));
    await waitFor(() => expect(findCard(canvasElement)).toHaveAttribute('data-state', 'stale'));
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
    await expect(findCard(canvasElement)).toHaveTextContent(/You get.*96\.\d+/);
  },
};

/** The policy refused the checkout of the button in the card. */
export const ButtonRefused: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'Confirm your e-mail first.'));
  },
  async play({ canvas, canvasElement }) {
    await expectState(canvasElement, 'success');
    const button = canvasElement.querySelector<HTMLElement>('.ramp-button');
    await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
    if (button) await userEvent.click(button);
    await expect(await canvas.findByText(/Confirm your e-mail/)).toBeVisible();
  },
};

/** The shop's backend cannot be reached. */
export const Unreachable: Story = {
  beforeEach({ msw }) {
    msw.use(failRoute('currencies'));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'error'),
};

/** The price of an NFT in fiat: the amount is its price in cryptocurrency. */
export const NftPrice: Story = {
  args: {
    buyType: 'nft',
    defaultValue: { amount: '0.05', fiatCurrency: 'EUR', cryptoCurrencyCode: 'ETH' },
    children: undefined,
  },
  async play({ canvasElement, args }) {
    await expectState(canvasElement, 'success');
    await expect(args.onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ cryptoCurrencyAmount: '0.05', fiatCurrency: 'EUR' }),
    );
  },
};

/** A form of the page's own, with the rules of the card: `useQuotePreview`. */
export const OwnForm: Story = {
  args: { presetAmounts: ['50', '100', '250'] },
  render: ({ defaultValue, presetAmounts }) => (
    <OwnPriceForm defaultValue={defaultValue} presetAmounts={presetAmounts} />
  ),
  async play({ canvas }) {
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/You get .*USDT/));
    await userEvent.selectOptions(canvas.getByLabelText('Coin'), 'BTC');
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/You get .*BTC/));
  },
};

/** The same form with an amount that is too small. `createPriceFormats` writes the limit. */
export const OwnFormBelowMinimum: Story = {
  ...OwnForm,
  args: { defaultValue: { amount: '5', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvas }) {
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('At least 15.00 USD'));
    await expect(canvas.queryByRole('button', { name: /^Buy/ })).toBeNull();
  },
};

/** The card in Arabic, right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'success');
    const root = findCard(canvasElement);
    await expect(root && getComputedStyle(root).direction).toBe('rtl');
  },
};

/** The card on a phone, with a price of many digits. */
export const Phone: Story = {
  globals: { viewport: { value: 'mobile1' } },
  args: {
    defaultValue: { amount: '123.45', fiatCurrency: 'EUR', cryptoCurrencyCode: 'BTC' },
  },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'success');
    const root = findCard(canvasElement);
    await expect(root?.scrollWidth).toBeLessThanOrEqual(root?.clientWidth ?? 0);
  },
};
