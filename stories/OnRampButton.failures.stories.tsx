import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn } from 'storybook/test';
import { OnRampButton } from '../src/index.js';
import { findLanguage } from '../test/support/demo/languages.js';
import {
  failRoute,
  respondWithError,
  tamperWithSignature,
} from '../test/support/demo/rampBackend.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { centered } from './support/centered.js';
import { findHostedWidget } from './support/hostedWidget.js';
import { createParameterArgTypes } from './support/parameterArgTypes.js';
import { pressButton } from './support/pressButton.js';

const meta = {
  title: 'Components/OnRampButton failures',
  component: OnRampButton,
  decorators: [centered],
  args: {
    amount: '100',
    defaultFiatCurrency: 'USD',
    cryptoCurrency: 'USDT_ERC20',
    onEvent: fn(),
    onError: fn(),
  },
  argTypes: {
    ...createParameterArgTypes('on-ramp'),
    ...buttonArgTypes,
  },
} satisfies Meta<typeof OnRampButton>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The wallet was changed after it was signed. The widget refuses the URL, and lists what to check. */
export const TamperedSignature: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  beforeEach({ msw }) {
    msw.use(tamperWithSignature());
  },
  async play({ canvasElement }) {
    await pressButton(canvasElement);
    const refusal = await findHostedWidget('refused');
    await expect(refusal).toHaveAttribute('data-reason', 'signature');
    await expect(refusal).toHaveTextContent('10003 Signature error');
    await expect(refusal).toHaveTextContent(/does not match the text/);
    await expect(refusal.querySelector('.signed-text')).toHaveTextContent(/walletAddress=0xbad0/);
  },
};

/** The backend's policy refused the checkout with a message for the shopper. Trying again would not help. */
export const Refused: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'This print has been sold.'));
  },
  async play({ canvas, canvasElement }) {
    const button = await pressButton(canvasElement);
    await expect(await canvas.findByText(/has been sold/)).toBeVisible();
    await expect(canvas.getAllByRole('button')).toEqual([button]);
    await expect(button).toHaveAttribute('data-state', 'error');
  },
};

/** `errorAction` adds the next step that the shop offers. */
export const RefusedWithAction: Story = {
  args: {
    errorAction: ({ code }) =>
      code === 'ERR_POLICY_REFUSED' ? <a href="#sign-in">Sign in</a> : undefined,
  },
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'Sign in to buy.'));
  },
  async play({ canvas, canvasElement }) {
    await pressButton(canvasElement);
    await expect(await canvas.findByRole('link', { name: 'Sign in' })).toBeVisible();
  },
};

/** The backend returned an error. The shopper sees a general message, and the console shows the cause. */
export const Failed: Story = {
  beforeEach({ msw }) {
    msw.use(
      respondWithError(
        'checkouts',
        500,
        'ERR_INTERNAL',
        'The backend failed to handle the request.',
      ),
    );
  },
  async play({ canvas, canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    await expect(await canvas.findByText(messages.failed, { exact: false })).toBeVisible();
    await expect(args.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'ERR_INTERNAL' }),
    );
  },
};

/** The backend cannot be reached. */
export const Offline: Story = {
  beforeEach({ msw }) {
    msw.use(failRoute('checkouts'));
  },
  async play({ canvas, canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    await expect(await canvas.findByText(messages.offline, { exact: false })).toBeVisible();
    await expect(args.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'ERR_NETWORK' }),
    );
  },
};
