import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { NftCheckout } from '../src/index.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { completePayment, findHostedWidget, findVerifiedText } from './support/hostedWidget.js';
import { createParameterArgTypes } from './support/parameterArgTypes.js';
import { findShownTexts } from './support/signing/checkoutTexts.js';
import { withSigningPanel } from './support/signing/SigningPanel.js';

const parameters = createParameterArgTypes('nft');

const meta = {
  title: 'Components/NftCheckout',
  component: NftCheckout,
  args: { merchantUniqueId: 'print-7', onEvent: fn(), onError: fn() },
  argTypes: { ...parameters, ...buttonArgTypes },
} satisfies Meta<typeof NftCheckout>;

export default meta;

type Story = StoryObj<typeof meta>;

/**
 * Every parameter is a control. Below the button are the parameters that the page proposes, the text that is
 * signed, and the URL that a click opens.
 */
export const Playground: Story = {
  decorators: [withSigningPanel('nft')],
  args: { type: 'MINT', mintQuantity: '2' },
  async play({ canvasElement }) {
    const { payload } = await findShownTexts(canvasElement);
    await expect(payload).toMatch(/^amount=.*&contractAddress=.*&type=MINT&walletAddress=/);
  },
};

/** The texts change with the controls. After a click, the widget verifies the text that the panel showed. */
export const PlaygroundControls: Story = {
  ...Playground,
  tags: ['!dev'],
  async play({ canvas, canvasElement, mount, args }) {
    await mount();
    const before = await findShownTexts(canvasElement);
    await expect(before.payload).toMatch(/^amount=0\.10&.*&mintQuantity=2&/);

    Object.assign(args, { mintQuantity: '3', nftNetwork: 'arbitrum' });
    await mount();
    const { payload, url } = await findShownTexts(canvasElement);
    await expect(payload).toMatch(/^amount=0\.15&.*&mintQuantity=3&nftNetwork=arbitrum&/);
    await expect(url).toContain('&mintQuantity=3');

    await userEvent.click(canvas.getByRole('button', { name: 'Buy NFT' }));
    const verified = await findVerifiedText();
    await expect(verified).toBe((await findShownTexts(canvasElement)).payload);
  },
};

/** The idle button. The page passes only its listing; the backend's policy adds the rest. */
export const Idle: Story = {
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(canvas.getByRole('button', { name: messages.buyNft })).toHaveAttribute(
      'data-state',
      'idle',
    );
  },
};

/** The sandbox's widget, which has verified the signature, in a dialog over the page. */
export const Open: Story = {
  args: { type: 'MINT', mintQuantity: 2 },
  async play({ canvas, args, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(await findHostedWidget('form')).toHaveTextContent(/Mint 2.*0\.10ETH/);
    await expect(args.onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: 'loaded' }));
  },
};

/** A completed checkout: the NFT is in the wallet. */
export const Paid: Story = {
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    await expect(await completePayment()).toHaveTextContent(/0\.05 ETH/);
  },
};
