import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { CheckoutInProgress } from '../src/index.js';
import {
  continueCheckout,
  failToContinue,
  onRampCheckout,
  serveHistory,
} from './support/checkoutBackend.js';

const meta = {
  title: 'Components/CheckoutInProgress',
  component: CheckoutInProgress,
  argTypes: {
    display: {
      description: 'Where "Continue checkout" shows the widget.',
      control: 'radio',
      options: ['modal', 'window', 'redirect'],
    },
    locale: { description: 'The locale of the time.', control: 'text' },
  },
  beforeEach: ({ msw }) => {
    sessionStorage.clear();
    msw.use(serveHistory([onRampCheckout('waiting')]));
  },
} satisfies Meta<typeof CheckoutInProgress>;

export default meta;

type Story = StoryObj<typeof meta>;

/** A checkout of the shopper waits for its payment. */
export const Waiting: Story = {
  async play({ canvas, globals }) {
    await canvas.findByText(findLanguage(globals).messages.inProgress);
  },
};

/** A dismissed note does not come back for this checkout. */
export const Dismissed: Story = {
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(await canvas.findByRole('button', { name: messages.dismiss }));
    await waitFor(() => expect(canvas.queryByText(messages.inProgress)).toBeNull());
  },
};

/** The shopper continues the checkout. While its dialog is open, the note is hidden. */
export const Continued: Story = {
  beforeEach: ({ msw }) => msw.use(continueCheckout()),
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    const name = messages.continueCheckout;
    await userEvent.click(await canvas.findByRole('button', { name }));
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(canvas.queryByText(messages.inProgress)).toBeNull();
  },
};

/** The backend cannot be reached, so the checkout does not open. */
export const CouldNotContinue: Story = {
  beforeEach: ({ msw }) => msw.use(failToContinue()),
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    const name = messages.continueCheckout;
    await userEvent.click(await canvas.findByRole('button', { name }));
    await expect(await canvas.findByText(messages.offline, { exact: false })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
  },
};

/** The note in Arabic, right to left. */
export const RightToLeft: Story = { ...Waiting, globals: { language: 'ar' } };
