import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { OnRampButton } from '../src/index.js';
import { findLanguage } from '../test/support/demo/languages.js';
import { failRoute, stallRoute } from '../test/support/demo/rampBackend.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { centered } from './support/centered.js';
import { onRampCheckout, order, streamStatus } from './support/checkoutBackend.js';
import { completePayment, findHostedWidget } from './support/hostedWidget.js';
import { createParameterArgTypes } from './support/parameterArgTypes.js';
import { pressButton } from './support/pressButton.js';
import { findShownTexts } from './support/signing/checkoutTexts.js';
import { withSigningPanel } from './support/signing/SigningPanel.js';

const parameters = createParameterArgTypes('on-ramp');

const meta = {
  title: 'Components/OnRampButton',
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
    ...parameters,
    ...buttonArgTypes,
  },
} satisfies Meta<typeof OnRampButton>;

export default meta;

type Story = StoryObj<typeof meta>;

/**
 * Every parameter is a control. Below the button are the parameters that the page proposes, the text that is
 * signed, and the URL that a click opens.
 */
export const Playground: Story = {
  decorators: [withSigningPanel('on-ramp')],
  parameters: {
    controls: { include: [...Object.keys(parameters), 'display', 'extraParams'] },
    docs: { story: { height: '1000px' } },
  },
  async play({ canvasElement }) {
    const { url, payload } = await findShownTexts(canvasElement);
    await expect(url).toMatch(/\/widget\/home\?.*&signature=/);
    await expect(payload).toMatch(
      /^ext=.*&nonce=\d{6}&partnerId=.*&timestamp=\d{10}&walletAddress=/,
    );
  },
};

/** The idle button. Without children it has a label in the language of the page. */
export const Idle: Story = {
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    const button = canvas.getByRole('button', { name: messages.buy });
    await expect(button).toHaveAttribute('data-state', 'idle');
    await expect(canvas.queryByRole('alert')).toBeNull();
  },
};

/** The button waits for the signature, for at most 20 seconds. A spinner replaces the icon. */
export const Signing: Story = {
  beforeEach({ msw }) {
    msw.use(stallRoute('checkouts'));
  },
  async play({ canvasElement }) {
    const button = await pressButton(canvasElement);
    await expect(button).toHaveAttribute('data-state', 'signing');
    await expect(button).toHaveAttribute('aria-busy', 'true');
  },
};

/** The sandbox's widget, which has verified the signature, in a dialog over the page. */
export const Open: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(button).toHaveAttribute('data-state', 'open');
    const widget = await findHostedWidget('form');
    await expect(within(widget).getByRole('textbox')).toHaveValue('100');
    await expect(args.onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: 'loaded' }));
    await expect(args.onError).not.toHaveBeenCalled();
  },
};

/** The backend reports the state of the checkout until it is terminal, also after the dialog is closed. */
export const Followed: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  args: { onStatusChange: fn() },
  beforeEach: ({ msw }) =>
    msw.use(
      streamStatus(
        onRampCheckout('waiting'),
        onRampCheckout('unconfirmed'),
        onRampCheckout('finished', [order]),
      ),
    ),
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    // The code that watches the checkout must load first, which can take longer than the default time-out of waitFor().
    await waitFor(() => expect(args.onStatusChange).toHaveBeenCalled(), { timeout: 8000 });
    await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
    await waitFor(
      () =>
        expect(args.onStatusChange).toHaveBeenLastCalledWith(
          expect.objectContaining({ progress: 'finished' }),
        ),
      { timeout: 8000 },
    );
    await expect(args.onStatusChange).toHaveBeenCalledTimes(3);
  },
};

/**
 * Once the widget has been open for five seconds, the shopper may have paid. So the dialog asks about that before the
 * checkout continues in a new window.
 */
export const AskedBeforeNewWindow: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    const now = performance.now();
    const clock = spyOn(performance, 'now').mockImplementation(() => now + 6000);
    await userEvent.click(within(dialog).getByRole('button', { name: messages.newWindow }));
    clock.mockRestore();
    const question = within(dialog).getByRole('alertdialog', { name: messages.paidQuestion });
    await expect(question).toHaveFocus();
    const buttons = within(question).getAllByRole('button');
    await expect(buttons.map(({ textContent }) => textContent)).toEqual([
      messages.paid,
      messages.notPaid,
      messages.stayHere,
    ]);
  },
};

/** A completed checkout: paid, sent, confirmed. The price is the same as in QuotePreview. */
export const Paid: Story = {
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvasElement }) {
    await pressButton(canvasElement);
    const receipt = await completePayment();
    await expect(receipt).toHaveTextContent(/96\.\d+ USDT is in the wallet/);
  },
};

/** The widget is shown in the page itself, below the button. */
export const Inline: Story = {
  args: { display: 'inline' },
  parameters: { docs: { story: { height: '860px' } } },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    const region = await canvas.findByRole('region', { name: messages.checkout });
    await waitFor(() => expect(region).toHaveAttribute('data-state', 'ready'));
  },
};

/** The browser blocked the window, so a link is shown. */
export const BlockedWindow: Story = {
  args: { display: 'window' },
  beforeEach() {
    spyOn(window, 'open').mockReturnValue(null);
  },
  async play({ canvas, canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    const link = await canvas.findByRole('link', { name: messages.openHere });
    await expect(link).toHaveAttribute('href', expect.stringContaining('/widget/home?'));
    await expect(button).toHaveAttribute('data-state', 'blocked');
    await expect(args.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'ERR_WIDGET_BLOCKED' }),
    );
  },
};

/** A disabled button requests no signature and does not open the widget. */
export const Disabled: Story = {
  args: { disabled: true },
  async play({ canvas, args }) {
    const button = canvas.getByRole('button');
    await expect(button).toBeDisabled();
    await userEvent.click(button, { pointerEventsCheck: 0 });
    await expect(button).toHaveAttribute('data-state', 'idle');
    await expect(args.onEvent).not.toHaveBeenCalled();
  },
};

const ownLook = {
  padding: '12px 20px',
  border: '2px solid',
  borderRadius: 4,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
};

/** A custom button: `render` gets the props and the state. */
export const CustomRender: Story = {
  args: {
    render: (props, { status }) => (
      <button {...props} style={ownLook}>
        {status === 'open' ? 'In the checkout' : 'Top up my wallet'}
      </button>
    ),
  },
  parameters: { docs: { story: { height: '720px' } } },
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    await waitFor(() => expect(button).toHaveTextContent('In the checkout'));
    const dialog = await within(document.body).findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
    await waitFor(() => expect(button).toHaveTextContent('Top up my wallet'));
    await expect(button).toHaveFocus();
  },
};

/** The button and its error in Arabic, right to left. */
export const RightToLeft: Story = {
  globals: { language: 'ar' },
  beforeEach({ msw }) {
    msw.use(failRoute('checkouts'));
  },
  async play({ canvas, canvasElement }) {
    const button = await pressButton(canvasElement);
    await expect(button).toHaveTextContent('شراء العملات المشفّرة');
    await expect(getComputedStyle(button).direction).toBe('rtl');
    await expect(await canvas.findByRole('button', { name: 'حاول مرة أخرى' })).toBeVisible();
  },
};

/** The button and its error on a dark page. */
export const Dark: Story = {
  globals: { scheme: 'dark' },
  beforeEach({ msw }) {
    msw.use(failRoute('checkouts'));
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    await expect(getComputedStyle(button).colorScheme).toBe('dark');
    await expect(await canvas.findByText(messages.offline, { exact: false })).toBeVisible();
  },
};
