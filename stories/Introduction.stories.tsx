import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { onRampCheckout, order, reference, serveStates } from './support/checkoutBackend.js';
import { Landing } from './support/landing/Landing.js';

const meta = {
  title: 'Introduction',
  component: Landing,
  parameters: { controls: { disable: true } },
  args: { reference },
} satisfies Meta<typeof Landing>;

export default meta;

/**
 * The first page of Storybook. The story has the name of its `title`, so that the sidebar shows one entry instead of
 * two.
 */
export const Introduction: StoryObj<typeof meta> = {
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('finished', [order]))),
  async play({ canvas }) {
    await canvas.findByRole('button', { name: /^Buy [\d.,]+\sUSDT$/ }, { timeout: 12_000 });
    await canvas.findByText('Delivered', { exact: true }, { timeout: 12_000 });
    await expect(canvas.getByText(/^npm install/)).toBeVisible();
    await expect(canvas.getByRole('link', { name: 'GitHub' })).toHaveAttribute('target', '_top');
  },
};
