import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { addOpenedCheckout, removeOpenedCheckout } from '../src/client/pageCheckouts.js';
import { CheckoutStatus, type CheckoutStatusRootProps } from '../src/index.js';
import {
  failPolls,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  order,
  reference,
  serveCheckouts,
  serveNoCheckout,
  serveOnceThenFail,
  serveStates,
  stallPolls,
} from './support/checkoutBackend.js';
import { twoHills } from './support/twoHills.js';

const meta = {
  title: 'Components/CheckoutStatus',
  component: CheckoutStatus,
  args: { reference },
  argTypes: {
    reference: {
      description:
        'The checkout of an order page. Without it the card shows the checkouts that the page opens.',
      control: 'text',
    },
    widget: {
      description: 'Without a reference, the card shows only the checkouts of this widget.',
      control: 'select',
      options: [undefined, 'on-ramp', 'nft'],
    },
    locale: { description: 'The locale of amounts and times.', control: 'text' },
    children: { description: 'Shown at the end of the card.', control: false },
  },
} satisfies Meta<typeof CheckoutStatus>;

export default meta;

type Story = StoryObj<typeof meta>;

const findCard = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-status');

const expectState = (canvas: HTMLElement, state: CheckoutStatusRootProps['data-state']) =>
  waitFor(() => expect(findCard(canvas)).toHaveAttribute('data-state', state), { timeout: 30_000 });

/** No payment is known yet. */
export const Waiting: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('waiting'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'waiting'),
};

/** A webhook has announced an order that is not in the order list yet. */
export const Unconfirmed: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('unconfirmed'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'unconfirmed'),
};

/** The cryptocurrency has arrived. A button copies the hash of the transaction. */
export const Delivered: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('finished', [order]))),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'finished');
    const link = canvas.getByRole('link', { name: messages.viewTransaction });
    await expect(link).toHaveAttribute('href', order.transactionUrl);
    await userEvent.click(canvas.getByRole('button', { name: messages.copyHash }));
    // If the browser does not allow copying, the card shows the whole hash instead.
    await waitFor(() => {
      const isWhole = canvasElement.querySelector('code[data-expanded]') !== null;
      return expect(isWhole || canvas.queryByText(messages.copied)).toBeTruthy();
    });
  },
};

/** An NFT is paid, which ends the steps of the shopper. */
export const NftPaid: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(nftCheckout('finished', [nftOrder('finished')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'finished'),
};

/** The settlement with the seller has started, as a line below the steps says. */
export const NftSettlement: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates(nftCheckout('settlement', [nftOrder('settlement')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'settlement'),
};

/** The NFT is settled, which is its last state. */
export const NftSettled: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(nftCheckout('settled', [nftOrder('settled')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'settled'),
};

/** The shop adds the picture and the title of the NFT with `render`, and says what comes next. */
export const NftWithPicture: Story = {
  args: {
    render: ({ children, ...card }, { data }) => (
      <div {...card}>
        <div style={{ inlineSize: 120 }}>{twoHills}</div>
        <h3>Two Hills, Evening</h3>
        {data?.progress === 'settlement' && <p>It is yours. The seller is being paid.</p>}
        {children}
      </div>
    ),
  },
  beforeEach: ({ msw }) =>
    msw.use(serveStates(nftCheckout('settlement', [nftOrder('settlement')]))),
  async play({ canvasElement, canvas }) {
    await expectState(canvasElement, 'settlement');
    await expect(canvas.getByText('It is yours. The seller is being paid.')).toBeVisible();
  },
};

/** An NFT checkout from the first state to the last. Screen readers announce each title once. */
export const LiveUpdates: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      serveStates(
        nftCheckout('waiting'),
        nftCheckout('finished', [nftOrder('finished')]),
        nftCheckout('settlement', [nftOrder('settlement')]),
        nftCheckout('settled', [nftOrder('settled')]),
      ),
    ),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'settled');
    const [said] = within(canvasElement).getAllByRole('status');
    await expect(said).toHaveTextContent(messages.purchasedHint);
    const steps = within(canvasElement).getAllByRole('listitem');
    for (const step of steps) await expect(step).toHaveAttribute('data-step', 'done');
  },
};

/** No payment arrived in time. One may still arrive late. */
export const Expired: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('expired'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'expired'),
};

/** Without a `reference`, the card shows the newest checkout that the page opened, and lists an earlier one. */
export const Several: Story = {
  args: { reference: undefined },
  beforeEach({ msw }) {
    const earlier = { ...onRampCheckout('finished', [order]), reference: 'earlier' };
    const opened = [earlier, onRampCheckout('waiting')];
    msw.use(serveCheckouts(opened));
    for (const one of opened) addOpenedCheckout('/api/ramp', one.reference);
    return () => {
      for (const one of opened) removeOpenedCheckout('/api/ramp', one.reference);
    };
  },
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'waiting');
    const show = await canvas.findByRole('button', { name: messages.showOrder });
    await expect(show).toHaveAccessibleDescription(new RegExp(messages.delivered));
  },
};

/** An order has arrived that does not match what was signed, so its details are not shown. */
export const UnderReview: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('review'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'review'),
};

/** The shop has reviewed the order and paid it back. The steps are hidden, because no further step follows. */
export const Refunded: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates({ ...onRampCheckout('review'), resolution: 'refunded' })),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'review');
    const [said] = within(canvasElement).getAllByRole('status');
    await expect(said).toHaveTextContent(messages.refundedHint);
  },
};

/** The checkout is paid, and the shop is reviewing another order of the same checkout. */
export const OneMoreUnderReview: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates({ ...onRampCheckout('finished', [order]), underReview: 1 })),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'finished');
    const [said] = within(canvasElement).getAllByRole('status');
    await expect(said).toHaveTextContent(messages.underReview);
  },
};

/** The card waits for the first response. */
export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(stallPolls()),
  play: ({ canvasElement }) => expectState(canvasElement, 'loading'),
};

/** The backend cannot be reached. The card retries automatically, or when its button is clicked. */
export const NoConnection: Story = {
  beforeEach: ({ msw }) => msw.use(failPolls()),
  async play({ canvasElement, canvas, globals, msw }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(messages.connectionLostHint)).toBeVisible();
    msw.use(serveStates(onRampCheckout('waiting')));
    await userEvent.click(canvas.getByRole('button', { name: messages.retry }));
    await expectState(canvasElement, 'waiting');
    msw.use(failPolls());
  },
};

/** The connection is lost: the card shows the last known state and retries automatically. */
export const LostConnection: Story = {
  beforeEach: ({ msw }) => msw.use(...serveOnceThenFail(onRampCheckout('unconfirmed'))),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'unconfirmed');
    await waitFor(() => expect(findCard(canvasElement)).toHaveAttribute('data-offline'), {
      timeout: 12_000,
    });
    await expect(canvas.getByText(messages.unconfirmed)).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
  },
};

/** The backend does not show the checkout to this user, so the card offers only to try again. */
export const NotFound: Story = {
  beforeEach: ({ msw }) => msw.use(serveNoCheckout()),
  async play({ canvasElement, canvas, globals }) {
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(findLanguage(globals).messages.unknownOrder)).toBeVisible();
  },
};

/** One on-ramp checkout can have several orders. */
export const SeveralOrders: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      serveStates(
        onRampCheckout('finished', [
          order,
          { ...order, currencyAmount: '250.00', cryptoCurrencyAmount: '243.02000000' },
        ]),
      ),
    ),
  async play({ canvasElement }) {
    await expectState(canvasElement, 'finished');
    await expect(canvasElement.querySelectorAll('dl')).toHaveLength(2);
  },
};

/** Amounts of any length keep every digit and fit in the card. */
export const LongAmounts: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      serveStates(
        onRampCheckout('finished', [
          {
            ...order,
            currencyAmount: '123456789012345678.25',
            cryptoCurrencyAmount: '123456789012345678.123456789012345678',
          },
        ]),
      ),
    ),
  async play({ canvasElement }) {
    await expectState(canvasElement, 'finished');
    const { scrollWidth, clientWidth } = findCard(canvasElement) as HTMLElement;
    await expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  },
};

/** Values that the backend does not know are omitted. */
export const FewFields: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      serveStates(onRampCheckout('finished', [{ state: 'finished', currencyAmount: '100' }])),
    ),
  async play({ canvasElement, canvas }) {
    await expectState(canvasElement, 'finished');
    await expect(canvas.queryByRole('link')).toBeNull();
  },
};

/** The card in Arabic, right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  beforeEach: ({ msw }) =>
    msw.use(serveStates(nftCheckout('settlement', [nftOrder('settlement')]))),
  async play({ canvasElement }) {
    await expectState(canvasElement, 'settlement');
    await expect(getComputedStyle(findCard(canvasElement) as HTMLElement).direction).toBe('rtl');
  },
};

export const Dark: Story = {
  globals: { scheme: 'dark' },
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('finished', [order]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'finished'),
};
