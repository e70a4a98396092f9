import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import {
  failRoute,
  respondWithError,
  stallRoute,
  tamperWithSignature,
} from '../demo/rampBackend.js';
import { OnRampButton } from '../src/index.js';
import { pretendWebView, preventDeparture } from './support/browserFakes.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { centered } from './support/centered.js';
import { completePayment, findHostedWidget } from './support/hostedWidget.js';
import { openDialog } from './support/openedDialog.js';
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

/** A completed checkout: paid, sent, confirmed. The price is the same as in QuotePreview. */
export const Paid: Story = {
  async play({ canvasElement }) {
    await pressButton(canvasElement);
    const receipt = await completePayment();
    await expect(receipt).toHaveTextContent(/96\.\d+ USDT is in the wallet/);
  },
};

/** The widget is shown in the page itself, below the button. */
export const Inline: Story = {
  args: { display: 'inline' },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    const region = await canvas.findByRole('region', { name: messages.checkout });
    await waitFor(() => expect(region).toHaveAttribute('data-state', 'ready'));
  },
};

/** The widget replaces the page. How the shopper comes back is described in the guide Displays. */
export const Redirect: Story = {
  args: { display: 'redirect' },
  async play({ canvasElement }) {
    const departure = preventDeparture();
    const button = await pressButton(canvasElement);
    await expect(await departure.find()).toContain('/widget/home?');
    departure.end();
    await expect(button).toHaveAttribute('data-state', 'open');
  },
};

/** `display="auto"` in a browser: a dialog. */
export const AutoInBrowser: Story = {
  args: { display: 'auto' },
  async play({ canvasElement, globals }) {
    const dialog = await openDialog(canvasElement, globals);
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
  },
};

/** `display="auto"` in the web view of an app: the widget replaces the page, because such apps often open no windows. */
export const AutoInWebView: Story = {
  ...Redirect,
  args: { display: 'auto' },
  beforeEach: () => pretendWebView(),
};

/** `autoDisplays` chooses other displays. In a web view, a window becomes a link. */
export const OwnAutoDisplays: Story = {
  args: { display: 'auto', autoDisplays: { webView: 'window' } },
  beforeEach: () => pretendWebView(),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    await expect(await canvas.findByRole('link', { name: messages.openHere })).toBeVisible();
  },
};

/** The wallet was changed after it was signed. The widget refuses the URL, and lists what to check. */
export const TamperedSignature: Story = {
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

/** Nobody is signed in, so trying again cannot help. */
export const SignedOut: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 401, 'ERR_SIGNED_OUT', 'Nobody is signed in.'));
  },
  async play({ canvas, canvasElement, globals }) {
    const button = await pressButton(canvasElement);
    await expect(await canvas.findByText(findLanguage(globals).messages.signIn)).toBeVisible();
    await expect(canvas.getAllByRole('button')).toEqual([button]);
  },
};

/** The request itself was wrong, such as a wallet of another chain. Only another choice or the shop can help. */
export const Impossible: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 400, 'ERR_PARAMS_INVALID', 'The wallet is invalid.'));
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    const note = await canvas.findByRole('alert');
    await waitFor(() => expect(note).toHaveTextContent(`${messages.failed} ${messages.askShop}`));
    await expect(canvas.getAllByRole('button')).toEqual([button]);
  },
};

/** The backend cannot be reached. A button tries again. The error disappears when the browser is online again. */
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

/** The button cannot be rendered, here for a style that React refuses. Only the button is gone, not the page. */
export const Broken: Story = {
  args: { style: 'color: red' as never },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(await canvas.findByRole('alert')).toHaveTextContent(messages.broken);
    await expect(canvas.queryByRole('button')).toBeNull();
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
