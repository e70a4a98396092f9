import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { OnRampButton } from '../src/index.js';
import { findHostedWidget, findVerifiedText, getOpenedUrl } from './support/hostedWidget.js';
import { findShownTexts } from './support/signing/checkoutTexts.js';
import { withSigningPanel } from './support/signing/SigningPanel.js';

/** Tests of the panel that the playgrounds show. They change the controls, so the sidebar hides them. */
const meta = {
  title: 'Tests/SigningPanel',
  component: OnRampButton,
  decorators: [withSigningPanel('on-ramp')],
  tags: ['!dev'],
  args: { amount: '100' },
} satisfies Meta<typeof OnRampButton>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The panel's texts and errors change with the controls. */
export const Controls: Story = {
  async play({ canvas, canvasElement, mount, args }) {
    await mount();
    const before = await findShownTexts(canvasElement);
    await expect(before.url).toContain('amount=100&');
    await expect(before.payload).not.toContain('walletAddressLocked');

    Object.assign(args, { amount: '250', walletAddressLocked: true, ext: 'a & b' });
    await mount();
    const after = await findShownTexts(canvasElement);
    await expect(after.url).toContain('amount=250&');
    await expect(after.payload).toMatch(/^ext=a%20%26%20b&nonce=.*&walletAddressLocked=1$/);

    Object.assign(args, { amount: '2.999', walletAddress: 'a=b' });
    await mount();
    await expect(await canvas.findByText(/at most two decimals/)).toBeVisible();
    await expect(await canvas.findByText(/could be read as other parameters/)).toBeVisible();
    // A busy panel is dimmed, and axe would report its low contrast. So wait until the panel is no longer busy.
    const panel = canvas.getByRole('region', { name: 'How it is signed' });
    await waitFor(() => expect(panel).toHaveAttribute('aria-busy', 'false'));
  },
};

/** The panel shows exactly the URL that a click opens, and the text that the widget verifies. */
export const Open: Story = {
  args: {
    walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    walletAddressHidden: true,
    ext: 'größe',
  },
  async play({ canvas, canvasElement }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Buy crypto' }));
    const verified = await findVerifiedText();
    const { url, payload } = await findShownTexts(canvasElement);
    await expect(payload).toContain('ext=gr%C3%B6%C3%9Fe&');
    await expect(verified).toBe(payload);
    await expect(getOpenedUrl()).toBe(url);
  },
};

/** In a dark story the widget is dark too, whatever colour scheme the system has. */
export const Dark: Story = {
  globals: { scheme: 'dark' },
  async play({ canvas }) {
    await userEvent.click(canvas.getByRole('button', { name: 'Buy crypto' }));
    const { body } = (await findHostedWidget('form')).ownerDocument;
    await expect(getComputedStyle(body).backgroundColor).toBe('rgb(13, 18, 18)');
  },
};
