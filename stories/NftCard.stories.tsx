import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, userEvent, within } from 'storybook/test';
import { respondWithError } from '../demo/rampBackend.js';
import { NftCard } from '../src/index.js';
import { loadQueryClient, withQueryClient } from './support/ownQueryClient.js';
import { PricedNftCard } from './support/PricedNftCard.js';
import { pressButton } from './support/pressButton.js';
import { twoHills } from './support/twoHills.js';

const meta = {
  title: 'Components/NftCard',
  component: NftCard,
  args: {
    name: 'Two Hills, Evening',
    collection: 'Fieldnotes',
    image: twoHills,
    price: '0.05',
    currency: 'ETH',
    onQuantityChange: fn(),
    button: { merchantUniqueId: 'print-7' },
  },
  argTypes: {
    image: { control: false },
    fiatPrice: {
      description: "The price in fiat, such as a result of `useQuote` with `buyType: 'nft'`.",
      control: 'text',
    },
    button: { description: 'The props of the button.', control: 'object' },
  },
} satisfies Meta<typeof NftCard>;

export default meta;

type Story = StoryObj<typeof meta>;

/** An NFT that its owner sells. */
export const OnTheMarket: Story = {
  args: { fiatPrice: '≈ 148.80 EUR' },
  async play({ canvas }) {
    const card = canvas.getByRole('article', { name: 'Two Hills, Evening' });
    await expect(within(card).getByRole('button')).toHaveTextContent(/0\.05.ETH/);
  },
};

/** An NFT that is minted: the stepper sets the quantity, and the button shows the total. */
export const ToMint: Story = {
  args: {
    maxQuantity: 5,
    button: { merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: 1 },
  },
  async play({ canvas, args }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Increase' }));
    await expect(args.onQuantityChange).toHaveBeenLastCalledWith(2);
    await expect(canvas.getByRole('button', { name: /0\.1.ETH/ })).toBeVisible();
  },
};

/** The user is signed out, so a sign-in button replaces the checkout button. */
export const SignedOut: Story = {
  args: {
    action: (
      <button type="button" className="ramp-button">
        Sign in to buy
      </button>
    ),
  },
  async play({ canvas }) {
    const buttons = canvas.getAllByRole('button');
    await expect(buttons.map(({ textContent }) => textContent)).toEqual(['Sign in to buy']);
  },
};

/** The policy refused the checkout. Its message is below the button, in the card. */
export const Refused: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'This print has been sold.'));
  },
  async play({ canvas, canvasElement }) {
    await pressButton(canvasElement);
    const card = within(canvas.getByRole('article'));
    await expect(await card.findByText(/has been sold/)).toBeVisible();
  },
};

/** The price in fiat from `useQuote`, written with `createPriceFormats`. It follows the service. */
export const LivePrice: Story = {
  decorators: [withQueryClient],
  loaders: [loadQueryClient],
  render: (args) => <PricedNftCard {...args} />,
  async play({ canvas }) {
    await expect(await canvas.findByText(/^≈ [\d.,]+\sEUR$/)).toBeVisible();
  },
};

/** Another shopper is in the checkout of this NFT, which exists once. The shop's text replaces the button. */
export const Held: Story = {
  args: {
    action: (
      <p className="nft-text">
        <strong>Another shopper is buying it.</strong> If they don’t pay, it will be available at
        2:45 PM.
      </p>
    ),
  },
  async play({ canvas }) {
    await expect(canvas.queryByRole('button')).toBeNull();
    await expect(canvas.getByText(/Another shopper/)).toBeVisible();
  },
};

/** The NFT is sold. Its price stays as a record. */
export const Sold: Story = {
  args: {
    action: (
      <p className="nft-text">
        <strong>Sold</strong>
      </p>
    ),
  },
  async play({ canvas }) {
    await expect(canvas.queryByRole('button')).toBeNull();
    await expect(canvas.getByText('Sold')).toBeVisible();
  },
};

/** The card in Arabic, right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  args: ToMint.args ?? {},
  async play({ canvas }) {
    await expect(getComputedStyle(canvas.getByRole('article')).direction).toBe('rtl');
  },
};
