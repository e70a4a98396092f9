import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { CheckoutStatus, type CheckoutStatusRootProps } from '../src/index.js';
import { addOpenedCheckout, removeOpenedCheckout } from '../src/react/status/openedCheckouts.js';
import { findLanguage } from '../test/support/demo/languages.js';
import {
  failStatusRequests,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  order,
  reference,
  respondCheckoutNotFound,
  serveCheckouts,
  stallStatusStream,
  streamOnceThenFail,
  streamStatus,
} from './support/checkoutBackend.js';

const meta = {
  title: 'Components/CheckoutStatus',
  component: CheckoutStatus,
  parameters: { docs: { story: { height: '480px' } } },
  args: { reference },
  argTypes: {
    reference: {
      description:
        'The checkout of an order page. Without it the card follows the checkouts that the page opens.',
      control: 'text',
    },
    locale: { description: 'How figures and times are written.', control: 'text' },
    children: { description: 'Stands at the end of the card.', control: false },
  },
} satisfies Meta<typeof CheckoutStatus>;

export default meta;

type Story = StoryObj<typeof meta>;

const findCard = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-status');

/** The card comes to the state that the story is named after. */
const expectState = (canvas: HTMLElement, state: CheckoutStatusRootProps['data-state']) =>
  waitFor(() => expect(findCard(canvas)).toHaveAttribute('data-state', state), { timeout: 12_000 });

/** Nobody has paid yet, as far as is known. */
export const Waiting: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('waiting'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'waiting'),
};

/** An order was announced that the list does not have yet. */
export const Unconfirmed: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('unconfirmed'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'unconfirmed'),
};

/** The cryptocurrency has arrived. The hash is copied by its button. */
export const Delivered: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('finished', [order]))),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'finished');
    const link = canvas.getByRole('link', { name: messages.viewTransaction });
    await expect(link).toHaveAttribute('href', order.transactionUrl);
    await userEvent.click(canvas.getByRole('button', { name: messages.copyHash }));
    // A page that may not write to the clipboard shows the whole hash instead.
    await waitFor(() =>
      expect(findCard(canvasElement)?.textContent).toMatch(
        new RegExp(`${messages.copied}|${order.transactionHash}`),
      ),
    );
  },
};

/** An NFT is paid; its settlement follows. */
export const NftPaid: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(nftCheckout('finished', [nftOrder('finished')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'finished'),
};

/** It is being settled. */
export const NftSettlement: Story = {
  beforeEach: ({ msw }) =>
    msw.use(streamStatus(nftCheckout('settlement', [nftOrder('settlement')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'settlement'),
};

/** It is settled: nothing more is to come. */
export const NftSettled: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(nftCheckout('settled', [nftOrder('settled')]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'settled'),
};

/** An NFT's checkout from the first state to the last, each told to a screen reader once. */
export const LiveUpdates: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      streamStatus(
        nftCheckout('waiting'),
        nftCheckout('unconfirmed'),
        nftCheckout('finished', [nftOrder('finished')]),
        nftCheckout('settlement', [nftOrder('settlement')]),
        nftCheckout('settled', [nftOrder('settled')]),
      ),
    ),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'settled');
    const [said] = within(canvasElement).getAllByRole('status');
    await expect(said).toHaveTextContent(messages.settledHint);
    const steps = within(canvasElement).getAllByRole('listitem');
    for (const step of steps) await expect(step).toHaveAttribute('data-step', 'done');
  },
};

/** Nothing has come in time. It may still come late. */
export const Expired: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('expired'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'expired'),
};

/** Without a `reference`: the newest checkout that the page opened, and an earlier one in a list. */
export const Several: Story = {
  args: { reference: undefined },
  render: ({ reference: _, ...args }) => <CheckoutStatus {...args} />,
  beforeEach({ msw }) {
    const earlier = { ...onRampCheckout('finished', [order]), reference: 'earlier' };
    const opened = [earlier, onRampCheckout('waiting')];
    msw.use(streamStatus(onRampCheckout('waiting')), serveCheckouts(opened));
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

/** An order has come that is not as agreed, so nothing of it is shown. */
export const UnderReview: Story = {
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('review'))),
  play: ({ canvasElement }) => expectState(canvasElement, 'review'),
};

/** Paid, and another order of the same checkout is quarantined. */
export const OneMoreUnderReview: Story = {
  beforeEach: ({ msw }) =>
    msw.use(streamStatus({ ...onRampCheckout('finished', [order]), underReview: 1 })),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'finished');
    const [said] = within(canvasElement).getAllByRole('status');
    await expect(said).toHaveTextContent(messages.underReview);
  },
};

/** The first answer is still to come. */
export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(stallStatusStream()),
  play: ({ canvasElement }) => expectState(canvasElement, 'loading'),
};

/** The backend cannot be reached; it is asked again by itself, and at once by the button. */
export const NoConnection: Story = {
  beforeEach: ({ msw }) => msw.use(...failStatusRequests()),
  async play({ canvasElement, canvas, globals, msw }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(messages.connectionLostHint)).toBeVisible();
    msw.use(streamStatus(onRampCheckout('waiting')));
    await userEvent.click(canvas.getByRole('button', { name: messages.retry }));
    await expectState(canvasElement, 'waiting');
    msw.use(...failStatusRequests());
  },
};

/** The connection is lost on the way: what is known stands, and it is asked again by itself. */
export const LostConnection: Story = {
  beforeEach: ({ msw }) => msw.use(...streamOnceThenFail(onRampCheckout('unconfirmed'))),
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

/** There is no such checkout for who asks. */
export const NotFound: Story = {
  beforeEach: ({ msw }) => msw.use(...respondCheckoutNotFound()),
  async play({ canvasElement, canvas, globals }) {
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(findLanguage(globals).messages.unknownOrder)).toBeVisible();
  },
};

/** One on-ramp checkout may bring several orders. */
export const SeveralOrders: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      streamStatus(
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

/** Amounts of any length lose no digit and break no line's width. */
export const LongAmounts: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      streamStatus(
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

/** What the backend does not know is left out. */
export const FewFields: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      streamStatus(onRampCheckout('finished', [{ state: 'finished', currencyAmount: '100' }])),
    ),
  async play({ canvasElement, canvas }) {
    await expectState(canvasElement, 'finished');
    await expect(canvas.queryByRole('link')).toBeNull();
  },
};

/** From right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  beforeEach: ({ msw }) =>
    msw.use(streamStatus(nftCheckout('settlement', [nftOrder('settlement')]))),
  async play({ canvasElement }) {
    await expectState(canvasElement, 'settlement');
    await expect(getComputedStyle(findCard(canvasElement) as HTMLElement).direction).toBe('rtl');
  },
};

/** On a dark page. */
export const Dark: Story = {
  globals: { scheme: 'dark' },
  beforeEach: ({ msw }) => msw.use(streamStatus(onRampCheckout('finished', [order]))),
  play: ({ canvasElement }) => expectState(canvasElement, 'finished'),
};
