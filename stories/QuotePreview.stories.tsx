import type { Decorator, Meta, StoryObj } from '@storybook/react-vite';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { failRoute, rampBackend, respondWithError, stallRoute } from '../demo/rampBackend.js';
import { OnRampButton, QuotePreview, type QuotePreviewStatus } from '../src/index.js';
import { OwnPriceForm } from './support/OwnPriceForm.js';

/** Gives each story a separate cache, so that no story uses the responses of another. */
const withOwnQueryClient: Decorator = (Story, { loaded }) => (
  <QueryClientProvider client={loaded.client}>
    <Story />
  </QueryClientProvider>
);

const meta = {
  title: 'Components/QuotePreview',
  component: QuotePreview,
  decorators: [withOwnQueryClient],
  loaders: [() => ({ client: new QueryClient() })],
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
    await expectState(canvasElement, 'success');
    const [, coins] = canvasElement.querySelectorAll<HTMLElement>('.ramp-quote-pill');
    if (coins) await userEvent.click(coins);
    const search = await within(canvasElement).findByRole('combobox');
    await userEvent.type(search, 'eth');
    const options = within(canvasElement).getAllByRole('option');
    for (const option of options) await expect(option).toHaveTextContent(/eth/i);
  },
};

/** Only coins on the chains of the user's wallets. The widget gets the selected coin only. */
export const OwnWallets: Story = {
  args: { walletChains: ['arbitrum'] },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'success');
    const [, coins] = canvasElement.querySelectorAll<HTMLElement>('.ramp-quote-pill');
    if (coins) await userEvent.click(coins);
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
  async play({ canvasElement }) {
    await expectState(canvasElement, 'below');
    await expect(amountField(canvasElement)).toBeInvalid();
  },
};

/** The amount is above the maximum of the payment method. A button enters the maximum. */
export const AboveMaximum: Story = {
  args: { defaultValue: { amount: '9000', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvasElement, args }) {
    await expectState(canvasElement, 'above');
    await userEvent.click(within(canvasElement).getByRole('button', { name: /5,000/ }));
    await expectState(canvasElement, 'success');
    await expect(args.onValueChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ amount: '5000' }),
    );
  },
};

/** Both currencies are available, but not as a pair. */
export const UnavailablePair: Story = {
  args: { defaultValue: { amount: '20000', fiatCurrency: 'JPY', cryptoCurrencyCode: 'TRX' } },
  play: ({ canvasElement }) => expectState(canvasElement, 'unavailable'),
};

/** Without a connection the last price stays visible. It is refreshed when the connection is back. */
export const Offline: Story = {
  async play({ canvasElement }) {
    await expectState(canvasElement, 'success');
    onlineManager.setOnline(false);
    await expectState(canvasElement, 'offline');
  },
  // Restores the connection for the next story.
  beforeEach: () => () => onlineManager.setOnline(true),
};

/** The quote could not be fetched. A button tries again. */
export const Failed: Story = {
  beforeEach({ msw }) {
    msw.use(
      respondWithError('quote', 503, 'ERR_API_RESPONSE', 'Prices are not available at the moment.'),
    );
  },
  async play({ canvasElement, globals, msw }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'error');
    const again = within(canvasElement).getByRole('button', { name: messages.retry });
    await expect(again).toBeVisible();
    msw.use(...rampBackend());
    await userEvent.click(again);
    await expectState(canvasElement, 'success');
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
  async play({ canvasElement }) {
    const canvas = within(canvasElement);
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/You get .*USDT/));
    await userEvent.selectOptions(canvas.getByLabelText('Coin'), 'BTC');
    await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/You get .*BTC/));
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

export const Dark: Story = {
  globals: { scheme: 'dark' },
  play: ({ canvasElement }) => expectState(canvasElement, 'success'),
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
