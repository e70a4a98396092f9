import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { NftCheckout } from '../src/index.js';
import { findLanguage } from '../test/support/demo/languages.js';
import { respondWithError } from '../test/support/demo/rampBackend.js';
import * as failures from './OnRampButton.failures.stories.js';
import * as onRamp from './OnRampButton.stories.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { completePayment, findHostedWidget, findVerifiedText } from './support/hostedWidget.js';
import { createParameterArgTypes } from './support/parameterArgTypes.js';
import { findShownTexts } from './support/signing/findShownTexts.js';
import { withSigningPanel } from './support/signing/withSigningPanel.js';

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
 * Every parameter is a control. Below the button stands what comes of it: what the page proposes, the
 * text that is signed, and the address that a click opens.
 */
export const Playground: Story = {
  decorators: [withSigningPanel('nft')],
  args: { type: 'MINT', mintQuantity: '2' },
  parameters: {
    controls: { include: Object.keys(parameters) },
    docs: { story: { height: '1200px' } },
  },
  async play({ canvasElement }) {
    const { payload } = await findShownTexts(canvasElement);
    await expect(payload).toMatch(/^amount=.*&contractAddress=.*&type=MINT&walletAddress=/);
  },
};

/** The texts follow the controls, and what they are at the click is what the widget has verified. */
export const PlaygroundControls: Story = {
  ...Playground,
  tags: ['!autodocs', '!dev'],
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

/** At rest. The page names its listing; the backend's policy knows the rest. */
export const Idle: Story = {
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(canvas.getByRole('button', { name: messages.buyNft })).toHaveAttribute(
      'data-state',
      'idle',
    );
  },
};

/** The widget in a dialog over the page: the sandbox's own, which has verified the signature. */
export const Open: Story = {
  args: { type: 'MINT', mintQuantity: 2 },
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvas, args, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(await findHostedWidget('form')).toHaveTextContent(/Mint 2.*0\.10ETH/);
    await expect(args.onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: 'loaded' }));
  },
};

/** Gone through to the end: paid, and the NFT is in the wallet. */
export const Paid: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    await expect(await completePayment()).toHaveTextContent(/0\.05 ETH/);
  },
};

/** The widget in the page itself. */
export const Inline: Story = {
  args: { display: 'inline' },
  parameters: { docs: { story: { height: '860px' } } },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    const region = await canvas.findByRole('region', { name: messages.checkout });
    await waitFor(() => expect(region).toHaveAttribute('data-state', 'ready'));
  },
};

/** The backend's policy refused, in words that are meant for the shopper. */
export const Refused: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'This print is sold.'));
  },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await userEvent.click(canvas.getByRole('button', { name: messages.buyNft }));
    await expect(await canvas.findByText(/This print is sold/)).toBeVisible();
  },
};

// What is the same for both buttons, on this one.

/** Waiting for the signature. */
export const Signing: Story = { ...(onRamp.Signing as Story) };

/** The browser let no window through: a link stands in its place. */
export const BlockedWindow: Story = { ...(onRamp.BlockedWindow as Story) };

/** A fault of the backend's own. */
export const Failed: Story = { ...(failures.Failed as Story) };

/** The backend cannot be reached. */
export const Offline: Story = { ...(failures.Offline as Story) };

/** Not to be had at present, such as a print that is sold. */
export const Disabled: Story = { ...(onRamp.Disabled as Story) };
