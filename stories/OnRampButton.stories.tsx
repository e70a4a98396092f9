import type { Meta, StoryObj } from '@storybook/react-vite';
import { HttpResponse, http } from 'msw';
import { expect, fn, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import {
  failRoute,
  respondWithError,
  stallRoute,
  tamperWithSignature,
} from '../demo/rampBackend.js';
import { OnRampButton } from '../src/index.js';
import { buttonArgTypes } from './support/buttonArgTypes.js';
import { centered } from './support/centered.js';
import { serveProgress } from './support/checkoutBackend.js';
import { createFakeWindow } from './support/fakeWindow.js';
import { completePayment, findHostedWidget } from './support/hostedWidget.js';
import { OwnCheckout } from './support/OwnCheckout.js';
import ownCheckoutSource from './support/OwnCheckout.tsx?raw';
import { openDialog, openLoadedDialog, skipSixSeconds } from './support/openedDialog.js';
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
 * Keeps the page of the static widget from loading. The widget requests this route when its URL has the parameter
 * `stall`.
 */
const stallWidget = () => http.get('*/api/ramp/stall', () => new Promise<never>(() => {}));

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

/** Until the widget has loaded, the dialog shows a skeleton of its form. */
export const LoadingWidget: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openDialog(canvasElement, globals);
    await expect(dialog).toHaveAttribute('data-state', 'loading');
    await expect(within(dialog).getByRole('status')).toHaveTextContent(messages.loading);
  },
};

/** The widget has not loaded for eight seconds, so the dialog points to the new window. */
export const SlowWidget: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openDialog(canvasElement, globals);
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'slow'), { timeout: 12_000 });
    await expect(within(dialog).getByRole('button', { name: messages.newWindow })).toBeVisible();
  },
};

/**
 * The page's own Content-Security-Policy does not allow the widget's frame. The console names the directive to add.
 * This story dispatches the browser's event, because a real policy would stay for all later stories.
 */
export const RefusedByPolicy: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget()),
  async play({ canvasElement, args, globals }) {
    const dialog = await openDialog(canvasElement, globals);
    document.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        effectiveDirective: 'frame-src',
        violatedDirective: 'frame-src',
        disposition: 'enforce',
        blockedURI: `${location.origin}/widget/home`,
        documentURI: location.href,
        originalPolicy: "frame-src 'none'",
        statusCode: 200,
      }),
    );
    await expect(dialog).toHaveAttribute('data-state', 'refused');
    await expect(args.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'ERR_WIDGET_LOAD' }),
    );
  },
};

/** The order has arrived: the bar of the dialog shows the outcome and the way back. */
export const Outcome: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    await expect(await within(dialog).findByText(messages.outcomeDelivered)).toBeVisible();
    await expect(within(dialog).getByRole('button', { name: messages.backToShop })).toBeVisible();
  },
};

/** The widget has loaded, but nobody has used it for eight seconds. Its frame may be empty, which a page cannot see. */
export const UnusedWidget: Story = {
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    const wayOut = await within(dialog).findByText(messages.nothingHere, {}, { timeout: 12_000 });
    await expect(wayOut).toBeVisible();
  },
};

/** The backend reports the state of the checkout until it is terminal, also after the dialog is closed. */
export const Followed: Story = {
  args: { onStatusChange: fn() },
  // The second poll comes when the dialog is closed, or after three seconds.
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting', 'finished')),
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
    await expect(args.onStatusChange).toHaveBeenCalledTimes(2);
  },
};

/**
 * Once the widget has been open for five seconds, the shopper may have paid. So the dialog asks about that before the
 * checkout continues in a new window.
 */
export const AskedBeforeNewWindow: Story = {
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.newWindow }));
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

/**
 * The shopper said "No", but the backend cannot continue this checkout, for example because it has expired. The shopper
 * can start a new one.
 */
export const CannotContinue: Story = {
  beforeEach({ msw }) {
    spyOn(window, 'open').mockReturnValue(createFakeWindow());
    msw.use(
      http.post('*/api/ramp/checkouts/:reference/continue', () =>
        HttpResponse.json({ error: { code: 'ERR_REQUEST', message: 'None.' } }, { status: 410 }),
      ),
    );
  },
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.newWindow }));
    const question = within(dialog).getByRole('alertdialog', { name: messages.paidQuestion });
    await userEvent.click(within(question).getByRole('button', { name: messages.notPaid }));
    await waitFor(() => expect(within(dialog).getByText(messages.cannotContinue)).toBeVisible());
    await expect(within(dialog).getByRole('button', { name: messages.startNew })).toBeVisible();
  },
};

/** The shopper closed the checkout midway. The notice below the button waits for an order, and offers to continue. */
export const NoticeAfterClosing: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
    await waitFor(() =>
      expect(canvasElement.querySelector('.ramp-notice')).not.toBeEmptyDOMElement(),
    );
  },
};

/**
 * The shopper closed the checkout midway, and clicks the button again. The notice asks first, because a second checkout
 * may be a second payment.
 */
export const AskedBeforeSecondCheckout: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
    await canvas.findByRole('button', { name: messages.resume });
    await userEvent.click(canvas.getByRole('button', { name: messages.buy }));
    await expect(await canvas.findByRole('button', { name: messages.startNew })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.resume })).toBeVisible();
    await expect(canvas.getByText(messages.paidQuestion, { exact: false })).toBeVisible();
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

/** The checkout is open in a window of its own. The note below the button brings that window to the front. */
export const OpenWindow: Story = {
  args: { display: 'window' },
  beforeEach() {
    const opened = createFakeWindow();
    spyOn(window, 'open').mockReturnValue(opened);
    // A window stays open without its button, and it would hide the notes of other stories, which share the page.
    return () => opened.close();
  },
  async play({ canvas, canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    await waitFor(() => expect(button).toHaveAttribute('data-state', 'open'));
    await expect(await canvas.findByRole('button', { name: messages.showWindow })).toBeVisible();
    await expect(args.onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: 'opened' }));
  },
};

/** Opens a window that the page then sees as closed, as that of a service with an opener policy. */
async function openHiddenWindow(canvasElement: HTMLElement): Promise<HTMLElement> {
  const opened = createFakeWindow();
  spyOn(window, 'open').mockReturnValue(opened);
  const button = await pressButton(canvasElement);
  await waitFor(() => expect(button).toHaveAttribute('data-state', 'open'));
  opened.close();
  await waitFor(() => expect(button).toHaveAttribute('data-state', 'idle'));
  return button;
}

/**
 * The page cannot see the window of the checkout: the service hides it, or the shopper has closed it before it had
 * loaded.
 */
export const HiddenWindow: Story = {
  args: { display: 'window' },
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await openHiddenWindow(canvasElement);
    await expect(await canvas.findByText(messages.windowHidden)).toBeVisible();
  },
};

/** The shopper clicks the button again although the checkout may be open in a window that the page cannot see. */
export const HiddenWindowAsked: Story = {
  args: { display: 'window' },
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await openHiddenWindow(canvasElement);
    await pressButton(canvasElement);
    await expect(await canvas.findByText(messages.findWindow, { exact: false })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.resume })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.startNew })).toBeVisible();
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

/**
 * The widget replaces the page, so this story leaves Storybook when you click. How the shopper comes back is described
 * in the guide Displays.
 */
export const Redirect: Story = {
  args: { display: 'redirect' },
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(canvas.getByRole('button', { name: messages.buy })).toBeEnabled();
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

/** `useCheckout` opens the checkout from your own component, and its `Note` shows what happened, here an error. */
export const UseCheckoutWithNote: Story = {
  render: () => <OwnCheckout />,
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'Confirm your e-mail first.'));
  },
  parameters: { docs: { source: { code: ownCheckoutSource, language: 'tsx' } } },
  async play({ canvas, canvasElement }) {
    await pressButton(canvasElement);
    await expect(await canvas.findByText(/Confirm your e-mail/)).toBeVisible();
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
