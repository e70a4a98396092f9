import type { Decorator, Meta, StoryObj } from '@storybook/react-vite';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { OnRampButton, QuotePreview, type QuotePreviewStatus } from '../src/index.js';
import { findLanguage } from '../test/support/demo/languages.js';
import {
  failRoute,
  rampBackend,
  respondWithError,
  stallRoute,
} from '../test/support/demo/rampBackend.js';

/** Answers of its own for each story: what one has fetched is not there for the next. */
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
  parameters: { docs: { story: { height: '680px' } } },
  args: {
    defaultValue: { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' },
    onValueChange: fn(),
    onQuote: fn(),
    children: <OnRampButton style={{ inlineSize: '100%' }} />,
  },
  argTypes: {
    buyType: {
      description: 'What the amount is: fiat, or the price of an NFT in the cryptocurrency.',
      control: 'inline-radio',
      options: ['fiat', 'nft'],
      table: { type: { summary: "'fiat' | 'nft'" }, defaultValue: { summary: 'fiat' } },
    },
    defaultValue: {
      description:
        'What is chosen at first: `amount`, `fiatCurrency`, `cryptoCurrencyCode`, `payment`.',
      control: 'object',
      table: { type: { summary: 'Partial<QuoteSelection>' } },
    },
    value: {
      description: 'The same, when the page keeps it.',
      control: 'object',
      table: { type: { summary: 'QuoteSelection' } },
    },
    fiatCurrency: { description: 'The fiat currencies that are allowed.', control: 'text' },
    cryptoCurrency: { description: 'The cryptocurrencies that are allowed.', control: 'text' },
    cryptoNetwork: { description: 'The networks that are allowed.', control: 'text' },
    refreshSeconds: {
      description: 'How long a quote stands before the next is asked for.',
      control: { type: 'number', min: 5 },
      table: { type: { summary: 'number' }, defaultValue: { summary: '30' } },
    },
    locale: { description: 'How figures are written.', control: 'text' },
    children: { description: 'An `OnRampButton` in it buys what is chosen.', control: false },
    onValueChange: { description: 'What is chosen, at each change.' },
    onQuote: { description: 'Each quote for what is chosen, `undefined` once there is none.' },
  },
} satisfies Meta<typeof QuotePreview>;

export default meta;

type Story = StoryObj<typeof meta>;

const findCard = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-quote');

/** The card comes to the state that the story is named after. */
const expectState = (canvas: HTMLElement, state: QuotePreviewStatus) =>
  waitFor(() => expect(findCard(canvas)).toHaveAttribute('data-state', state), { timeout: 5000 });

const amountField = (canvas: HTMLElement) => within(canvas).getByRole('textbox');

/** What 100 USD buys, what it costs, and a button that buys it. */
export const Quote: Story = {
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'quote');
    await expect(args.onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ currencyAmount: '100.00', cryptoCurrencyCode: 'USDT_ERC20' }),
    );
    await userEvent.click(within(canvasElement).getByText(messages.priceBreakdown));
    await expect(within(canvasElement).getByText(messages.totalFee)).toBeVisible();
  },
};

/** The list of currencies: searched by typing, walked with the arrow keys. */
export const ListOfCurrencies: Story = {
  async play({ canvasElement }) {
    await expectState(canvasElement, 'quote');
    const [, coins] = canvasElement.querySelectorAll<HTMLElement>('.ramp-quote-pill');
    if (coins) await userEvent.click(coins);
    const search = await within(canvasElement).findByRole('combobox');
    await userEvent.type(search, 'eth');
    const options = within(canvasElement).getAllByRole('option');
    for (const option of options) await expect(option).toHaveTextContent(/eth/i);
  },
};

/** Until the currencies are there: the outline of the card, and nothing jumps afterwards. */
export const Loading: Story = {
  beforeEach({ msw }) {
    msw.use(stallRoute('currencies'));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'loading'),
};

/** The service sells nothing here. */
export const NoCurrencies: Story = {
  beforeEach({ msw }) {
    msw.use(...rampBackend({ currencies: [] }));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'empty'),
};

/** Nobody has typed an amount. */
export const NoAmount: Story = {
  args: { defaultValue: { fiatCurrency: 'EUR' } },
  play: ({ canvasElement }) => expectState(canvasElement, 'idle'),
};

/** Another amount was typed: the last price is dimmed until the next is there. */
export const Refreshing: Story = {
  async play({ canvasElement, msw }) {
    await expectState(canvasElement, 'quote');
    msw.use(stallRoute('quote'));
    await userEvent.type(amountField(canvasElement), '0');
    await expectState(canvasElement, 'refreshing');
    await expect(findCard(canvasElement)).toHaveTextContent(/You get.*96\.\d+/);
  },
};

/** The service is down: the last price stands, and its age is said. */
export const Stale: Story = {
  beforeEach({ msw }) {
    msw.use(...rampBackend({ stale: true, ageSeconds: 90 }));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'stale'),
};

/** Too little for the chosen method: said in words, with a button that takes the least. */
export const BelowMinimum: Story = {
  args: { defaultValue: { amount: '5', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'below');
    await expect(amountField(canvasElement)).toBeInvalid();
  },
};

/** Too much for the chosen method. */
export const AboveMaximum: Story = {
  args: { defaultValue: { amount: '9000', fiatCurrency: 'USD', payment: 'CREDIT_DEBIT_CARD' } },
  async play({ canvasElement, args }) {
    await expectState(canvasElement, 'above');
    await userEvent.click(within(canvasElement).getByRole('button', { name: /5,000/ }));
    await expectState(canvasElement, 'quote');
    await expect(args.onValueChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ amount: '5000' }),
    );
  },
};

/** Each is sold, but not the one for the other. */
export const UnavailablePair: Story = {
  args: { defaultValue: { amount: '20000', fiatCurrency: 'JPY', cryptoCurrencyCode: 'TRX' } },
  play: ({ canvasElement }) => expectState(canvasElement, 'unavailable'),
};

/** No connection: the last price stays, and it goes on by itself. */
export const Offline: Story = {
  async play({ canvasElement }) {
    await expectState(canvasElement, 'quote');
    onlineManager.setOnline(false);
    await expectState(canvasElement, 'offline');
  },
  // The next story has its connection back.
  beforeEach: () => () => onlineManager.setOnline(true),
};

/** The price failed; there is a way to try again. */
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
    await expectState(canvasElement, 'quote');
  },
};

/** The shop's own backend cannot be reached. */
export const Unreachable: Story = {
  beforeEach({ msw }) {
    msw.use(failRoute('currencies'));
  },
  play: ({ canvasElement }) => expectState(canvasElement, 'error'),
};

/** What an NFT costs in fiat: the amount is its price in the cryptocurrency. */
export const NftPrice: Story = {
  args: {
    buyType: 'nft',
    defaultValue: { amount: '0.05', fiatCurrency: 'EUR', cryptoCurrencyCode: 'ETH' },
    children: undefined,
  },
  async play({ canvasElement, args }) {
    await expectState(canvasElement, 'quote');
    await expect(args.onQuote).toHaveBeenLastCalledWith(
      expect.objectContaining({ cryptoCurrencyAmount: '0.05', fiatCurrency: 'EUR' }),
    );
  },
};

/** Arabic, from right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'quote');
    const root = findCard(canvasElement);
    await expect(root && getComputedStyle(root).direction).toBe('rtl');
  },
};

/** On a dark page. */
export const Dark: Story = {
  globals: { scheme: 'dark' },
  play: ({ canvasElement }) => expectState(canvasElement, 'quote'),
};

/** On a phone, with a price of many digits. */
export const Phone: Story = {
  globals: { viewport: { value: 'mobile1' } },
  args: {
    defaultValue: { amount: '123.45', fiatCurrency: 'EUR', cryptoCurrencyCode: 'BTC' },
  },
  async play({ canvasElement }) {
    await expectState(canvasElement, 'quote');
    const root = findCard(canvasElement);
    await expect(root?.scrollWidth).toBeLessThanOrEqual(root?.clientWidth ?? 0);
  },
};
