import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { addOpenedCheckout, removeOpenedCheckout } from '../src/client/pageCheckouts.js';
import { CheckoutStatus, type CheckoutStatusRootProps, OnRampButton } from '../src/index.js';
import { fillText } from '../src/protocol/fillText.js';
import {
  continueCheckout,
  failPolls,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  order,
  reference,
  refuseToContinue,
  serveCheckouts,
  serveNoCheckout,
  serveOnceThenFail,
  serveOnceThenRefuse,
  serveProgress,
  serveStates,
  stallPolls,
} from './support/checkoutBackend.js';
import { fakeWindows } from './support/fakeWindow.js';
import { closeMidway } from './support/openedDialog.js';
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

/** The shop has delivered the reviewed order by hand. */
export const DeliveredByHand: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates({ ...onRampCheckout('review'), resolution: 'delivered' })),
  async play({ canvasElement, canvas, globals }) {
    await expectState(canvasElement, 'review');
    await expect(
      canvas.getByText(findLanguage(globals).messages.deliveredByHandHint),
    ).toBeVisible();
  },
};

/** The shop has reviewed the order, and nothing is left to do. */
export const Closed: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates({ ...onRampCheckout('review'), resolution: 'closed' })),
  async play({ canvasElement, canvas, globals }) {
    await expectState(canvasElement, 'review');
    await expect(canvas.getByText(findLanguage(globals).messages.closedHint)).toBeVisible();
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
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'error');
    await expect(canvas.getByText(messages.connectionLostHint)).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
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

/** The session has ended while the card was shown, so it keeps what it knows, and says how to see more. */
export const SignedOutMeanwhile: Story = {
  beforeEach: ({ msw }) => msw.use(...serveOnceThenRefuse(onRampCheckout('unconfirmed'))),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'unconfirmed');
    await expect(await canvas.findByText(messages.unknownOrderHint)).toBeVisible();
    await expect(canvas.getByText(messages.unconfirmed)).toBeVisible();
  },
};

/** The shopper continues a waiting checkout. Behind the dialog, the card waits for the payment. */
export const Continued: Story = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('waiting')), continueCheckout()),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'waiting');
    await expect(canvas.getByText(messages.unpaid)).toBeVisible();
    await userEvent.click(canvas.getByRole('button', { name: messages.continueCheckout }));
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(canvas.getByText(messages.waiting)).toBeInTheDocument();
  },
};

/** The shopper continues a waiting checkout in a window. The button of the card then shows that window. */
export const ContinuedInWindow: Story = {
  args: { display: 'window' },
  beforeEach({ msw }) {
    msw.use(serveStates(onRampCheckout('waiting')), continueCheckout());
    return fakeWindows().end;
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'waiting');
    await userEvent.click(canvas.getByRole('button', { name: messages.continueCheckout }));
    await expect(await canvas.findByText(messages.waiting)).toBeVisible();
    await expect(await canvas.findByText(messages.windowOpen)).toBeVisible();
    await expect(await canvas.findByRole('button', { name: messages.showWindow })).toBeVisible();
  },
};

/** The backend cannot tell whether the checkout is paid, and says when to try again. */
export const CouldNotContinue: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      serveStates(onRampCheckout('waiting')),
      refuseToContinue(503, 'ERR_API_RESPONSE', 'The order list could not be read.', 30),
    ),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'waiting');
    await userEvent.click(canvas.getByRole('button', { name: messages.continueCheckout }));
    const note = await canvas.findByRole('alert');
    await waitFor(() => expect(note).toHaveTextContent(messages.couldNotCheck));
    await expect(note).toHaveTextContent('30');
    await expect(within(note).getByRole('button', { name: messages.retry })).toBeVisible();
  },
};

/** The checkout has ended before the shopper continued it. The button is gone, and the card is about to say so too. */
export const EndedBeforeContinuing: Story = {
  beforeEach: ({ msw }) =>
    msw.use(serveStates(onRampCheckout('waiting')), refuseToContinue(410, 'ERR_REQUEST')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'waiting');
    await userEvent.click(canvas.getByRole('button', { name: messages.continueCheckout }));
    await expect(await canvas.findByText(messages.checkoutEnded)).toBeVisible();
    await expect(canvas.queryByRole('button', { name: messages.continueCheckout })).toBeNull();
  },
};

/** A button and a card on one page. The shopper closed the checkout, so the notice warns, and the card continues it. */
export const BesideButton: Story = {
  args: { reference: undefined },
  render: (args) => (
    <div style={{ display: 'grid', gap: 24 }}>
      <div>
        <OnRampButton amount="100" />
      </div>
      <CheckoutStatus {...args} />
    </div>
  ),
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expect(await canvas.findByText(messages.doNotPayAgain)).toBeVisible();
    await expect(
      await canvas.findByRole('button', { name: messages.continueCheckout }),
    ).toBeVisible();
    // The notice finds out about the card once its texts have loaded.
    await waitFor(() => expect(canvas.queryByRole('button', { name: messages.resume })).toBeNull());
  },
};

/** The same page once the order has arrived: only the card says so, and it has the focus. */
export const PaidBesideButton: Story = {
  ...BesideButton,
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  async play({ canvasElement, globals }) {
    await closeMidway(canvasElement, globals);
    await expectState(canvasElement, 'finished');
    await waitFor(() => expect(canvasElement.querySelector('.ramp-notice')).toBeEmptyDOMElement());
    await waitFor(() => expect(findCard(canvasElement)).toHaveFocus());
  },
};

/** The card cannot be rendered. The sentence in its place names the checkout, so that nobody pays twice. */
export const Broken: Story = {
  args: { style: 'color: red' as never },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(await canvas.findByRole('alert')).toHaveTextContent(
      fillText(messages.brokenCheckout, { reference }),
    );
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
