import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { CheckoutInProgress } from '../src/index.js';
import { onRampCheckout, serveHistory } from './support/checkoutBackend.js';

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

export const Dark: Story = { ...Waiting, globals: { scheme: 'dark' } };

/** The note in Arabic, right to left. */
export const RightToLeft: Story = { ...Waiting, globals: { language: 'ar' } };
