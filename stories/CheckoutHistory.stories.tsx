import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { CheckoutHistory } from '../src/index.js';
import {
  failOlderHistory,
  failPolls,
  nftCheckout,
  nftOrder,
  onRampCheckout,
  order,
  serveHistory,
  stallPolls,
} from './support/checkoutBackend.js';

const meta = {
  title: 'Components/CheckoutHistory',
  component: CheckoutHistory,
  argTypes: {
    pageSize: { description: 'How many checkouts are loaded at once, 1 to 50.', control: 'number' },
    display: {
      description: 'Where "Continue checkout" shows the widget.',
      control: 'radio',
      options: ['modal', 'window', 'redirect'],
    },
    renderCheckout: {
      description: 'Adds a picture or a title that only the shop knows.',
      control: false,
    },
    empty: { description: 'Shown below the text of an empty list.', control: false },
    locale: { description: 'The locale of amounts and times.', control: 'text' },
    style: { table: { disable: true } },
  },
  args: { style: { maxInlineSize: '560px' } },
} satisfies Meta<typeof CheckoutHistory>;

export default meta;

type Story = StoryObj<typeof meta>;

const findList = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-history');

const expectState = (canvas: HTMLElement, state: string) =>
  waitFor(() => expect(findList(canvas)).toHaveAttribute('data-state', state));

const checkouts = [
  onRampCheckout('waiting'),
  onRampCheckout('unconfirmed'),
  onRampCheckout('finished', [order]),
  nftCheckout('settlement', [nftOrder('settlement')]),
  onRampCheckout('review'),
  onRampCheckout('expired'),
];

/** Checkouts in different states. The first one can be continued. */
export const States: Story = {
  beforeEach: ({ msw }) => msw.use(serveHistory(checkouts)),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    await expect(canvas.getAllByRole('button', { name: messages.continueCheckout })).toHaveLength(
      1,
    );
  },
};

/** The steps and the receipt of a paid checkout, with buttons that copy and print it. */
export const Receipt: Story = {
  beforeEach: ({ msw }) => msw.use(serveHistory([onRampCheckout('finished', [order])])),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    await userEvent.click(canvas.getByText(messages.orderDetails));
    await expect(canvas.getByRole('button', { name: messages.printReceipt })).toBeVisible();
  },
};

/** A button loads older checkouts. */
export const More: Story = {
  args: { pageSize: 2 },
  beforeEach: ({ msw }) => msw.use(serveHistory(checkouts)),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    await userEvent.click(canvas.getByRole('button', { name: messages.historyMore }));
    await waitFor(() =>
      expect(canvasElement.querySelectorAll('.ramp-history-entry')).toHaveLength(4),
    );
  },
};

/** `renderCheckout` adds what only the shop knows about a checkout, here a title. */
export const OwnTitles: Story = {
  args: {
    renderCheckout: ({ widget }, entry) => (
      <article>
        <h3>{widget === 'nft' ? 'Survey of a Quiet Hill' : 'Top-up of your wallet'}</h3>
        {entry}
      </article>
    ),
  },
  beforeEach: ({ msw }) => msw.use(serveHistory(checkouts)),
  play: ({ canvasElement }) => expectState(canvasElement, 'success'),
};

/** The shopper has no checkouts. The link below the text is the prop `empty`. */
export const Empty: Story = {
  args: { empty: <a href="#shop">To the shop</a> },
  beforeEach: ({ msw }) => msw.use(serveHistory([])),
  play: ({ canvasElement }) => expectState(canvasElement, 'empty'),
};

/** The list waits for the first response. */
export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(stallPolls()),
  play: ({ canvasElement }) => expectState(canvasElement, 'loading'),
};

/** The list cannot be requested. It is requested again automatically, or when the button is clicked. */
export const NoConnection: Story = {
  beforeEach: ({ msw }) => msw.use(failPolls()),
  play: ({ canvasElement }) => expectState(canvasElement, 'error'),
};

/**
 * Older checkouts cannot be loaded. The list keeps the checkouts that it has, and the button requests the older ones
 * again.
 */
export const NoOlderCheckouts: Story = {
  args: { pageSize: 2 },
  beforeEach: ({ msw }) => msw.use(failOlderHistory(), serveHistory(checkouts)),
  async play({ canvasElement, canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expectState(canvasElement, 'success');
    await userEvent.click(canvas.getByRole('button', { name: messages.historyMore }));
    await canvas.findByText(messages.historyMoreFailed);
    await expectState(canvasElement, 'success');
    await expect(canvasElement.querySelectorAll('.ramp-history-entry')).toHaveLength(2);
  },
};

/** The list in Arabic, right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  beforeEach: ({ msw }) => msw.use(serveHistory(checkouts)),
  play: ({ canvasElement }) => expectState(canvasElement, 'success'),
};
