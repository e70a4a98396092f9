import type { Meta, StoryObj } from '@storybook/react-vite';
import { http } from 'msw';
import type { Globals } from 'storybook/internal/csf';
import { expect, fn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { signCheckout } from '../demo/signCheckout.js';
import { OnRampButton } from '../src/index.js';
import { centered } from './support/centered.js';
import {
  checkForever,
  failToContinue,
  refuseToContinue,
  serveProgress,
} from './support/checkoutBackend.js';
import { fakeWindows } from './support/fakeWindow.js';
import {
  denyPayment,
  openDialog,
  openLoadedDialog,
  skipSixSeconds,
} from './support/openedDialog.js';

/** What is around the widget in the page: the bar, what the shopper sees while it loads, and the questions over it. */
const meta = {
  title: 'Components/CheckoutDialog',
  component: OnRampButton,
  parameters: { controls: { disable: true } },
  decorators: [centered],
  args: {
    amount: '100',
    defaultFiatCurrency: 'USD',
    cryptoCurrency: 'USDT_ERC20',
    onError: fn(),
  },
  beforeEach: () => fakeWindows().end,
} satisfies Meta<typeof OnRampButton>;

export default meta;

type Story = StoryObj<typeof meta>;

/**
 * Keeps the page of the static widget from loading. The widget requests this route when its URL has the parameter
 * `stall`.
 */
const stallWidget = () => http.get('*/api/ramp/stall', () => new Promise<never>(() => {}));

/** Expects the buttons of a question, in this order. */
async function expectButtons(question: HTMLElement, names: readonly string[]): Promise<void> {
  const buttons = within(question).getAllByRole('button');
  await expect(buttons.map(({ textContent }) => textContent)).toEqual(names);
}

/** Opens the checkout, and expects the outcome in its bar, with the way back in place of the button for a new window. */
async function expectOutcome(canvas: HTMLElement, globals: Globals, text: string): Promise<void> {
  const { messages } = findLanguage(globals);
  const dialog = await openLoadedDialog(canvas, globals);
  await expect(await within(dialog).findByText(text)).toBeVisible();
  await expect(within(dialog).getByRole('button', { name: messages.backToShop })).toBeVisible();
  await expect(within(dialog).queryByRole('button', { name: messages.newWindow })).toBeNull();
}

/** Waits until the widget counts as slow, and asks to try again after a time in which the shopper may have paid. */
async function askToTryAgain(canvas: HTMLElement, globals: Globals): Promise<HTMLElement> {
  const { messages } = findLanguage(globals);
  const dialog = await openDialog(canvas, globals);
  const again = await within(dialog).findByRole('button', { name: messages.retry });
  skipSixSeconds();
  await userEvent.click(again);
  return within(dialog).findByRole('alertdialog', { name: messages.paidQuestion });
}

/** Until the widget has loaded, the dialog shows a skeleton of its form. */
export const LoadingWidget: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openDialog(canvasElement, globals);
    await expect(dialog).toHaveAttribute('data-state', 'loading');
    await expect(within(dialog).getByRole('status')).toHaveTextContent(messages.loading);
    // The frame lies above the skeleton, so its page must have no background.
    await waitFor(() => {
      const page = dialog.querySelector('iframe')?.contentDocument;
      expect(page?.querySelector('img')).toBeTruthy();
      expect(page?.querySelector('style')).toBeNull();
    });
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

/** The widget has loaded, but nobody has used it for eight seconds. Its frame may be empty, which a page cannot see. */
export const UnusedWidget: Story = {
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    const wayOut = await within(dialog).findByText(messages.nothingHere, {}, { timeout: 12_000 });
    await expect(wayOut).toBeVisible();
  },
};

/** The order has arrived: the bar of the dialog shows the outcome and the way back. */
export const Outcome: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  play: ({ canvasElement, globals }) =>
    expectOutcome(canvasElement, globals, findLanguage(globals).messages.outcomeDelivered),
};

/** The payment is known, and the cryptocurrency is still on its way. */
export const OutcomePaid: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('unconfirmed')),
  play: ({ canvasElement, globals }) =>
    expectOutcome(canvasElement, globals, findLanguage(globals).messages.outcomePaid),
};

/** An order has arrived that does not match what was signed. No tick is shown, because nothing is settled. */
export const OutcomeUnderReview: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('review')),
  play: ({ canvasElement, globals }) =>
    expectOutcome(canvasElement, globals, findLanguage(globals).messages.outcomeReview),
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
    await expectButtons(question, [messages.paid, messages.notPaid, messages.stayHere]);
  },
};

/** The question of a shop whose signer names no reference: nobody can continue the checkout, so a new one is offered. */
export const AskedWithoutReference: Story = {
  args: {
    async signer(proposal) {
      const { params } = await signCheckout(proposal);
      return { params };
    },
  },
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const dialog = await openLoadedDialog(canvasElement, globals);
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.newWindow }));
    const question = within(dialog).getByRole('alertdialog', { name: messages.paidQuestion });
    await expect(question).toHaveAccessibleDescription(
      `${messages.doNotPayAgain} ${messages.cannotContinue}`,
    );
    await expectButtons(question, [messages.paid, messages.startNew, messages.stayHere]);
  },
};

/**
 * The widget loads slowly, and the shopper asks to try again. It may have been usable without the event of the browser,
 * so the dialog asks here too.
 */
export const AskedBeforeTryingAgain: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await askToTryAgain(canvasElement, globals);
    await expectButtons(question, [messages.paid, messages.notPaidHere, messages.stayHere]);
  },
};

/** The widget was to be loaded again, but the checkout has ended meanwhile. */
export const EndedBeforeTryingAgain: Story = {
  args: { extraParams: { stall: 'true' } },
  beforeEach: ({ msw }) => msw.use(stallWidget(), refuseToContinue(410, 'ERR_REQUEST')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await askToTryAgain(canvasElement, globals);
    await userEvent.click(within(question).getByRole('button', { name: messages.notPaidHere }));
    await waitFor(() => expect(within(question).getByText(messages.checkoutEnded)).toBeVisible());
    await expectButtons(question, [messages.startNew, messages.stayHere]);
  },
};

/** The shopper said "No". Until the backend has read the order list, nothing is opened, and the shopper can only stay. */
export const CheckingPayment: Story = {
  beforeEach: ({ msw }) => msw.use(checkForever()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() =>
      expect(within(question).getByRole('status')).toHaveTextContent(messages.checkingPayment),
    );
    await expect(within(question).getByRole('button', { name: messages.notPaid })).toBeDisabled();
    await expect(within(question).getByRole('button', { name: messages.stayHere })).toBeEnabled();
  },
};

/** The backend could not tell whether the checkout is paid, so a new checkout is never offered here. */
export const CouldNotCheck: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(500, 'ERR_INTERNAL')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() => expect(question).toHaveAccessibleName(messages.couldNotCheck));
    await expect(question).toHaveAccessibleDescription(messages.doNotPayAgain);
    await expectButtons(question, [messages.retry, messages.keepOpen]);
  },
};

/** The backend cannot be reached, so nobody knows whether the checkout is paid. */
export const OfflineWhileChecking: Story = {
  beforeEach: ({ msw }) => msw.use(failToContinue()),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() => expect(question).toHaveAccessibleName(messages.couldNotCheck));
    await expect(question).toHaveAccessibleDescription(messages.offline);
  },
};

/** The policy refuses to continue the checkout, with its message for the shopper. Trying again would not help. */
export const RefusedToContinue: Story = {
  beforeEach: ({ msw }) =>
    msw.use(refuseToContinue(403, 'ERR_POLICY_REFUSED', 'This print has been sold.')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() => expect(question).toHaveAccessibleName(messages.failed));
    await expect(question).toHaveAccessibleDescription('This print has been sold.');
    await expectButtons(question, [messages.keepOpen]);
  },
};

/** The session of the shopper has ended while the widget was open. */
export const SignedOutWhileChecking: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(401, 'ERR_SIGNED_OUT')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() => expect(question).toHaveAccessibleDescription(messages.signIn));
    await expectButtons(question, [messages.keepOpen]);
  },
};

/**
 * The shopper said "No", but the backend cannot continue this checkout, for example because it has expired. The shopper
 * can start a new one.
 */
export const CannotContinue: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(410, 'ERR_REQUEST')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const question = await denyPayment(canvasElement, globals);
    await waitFor(() => expect(within(question).getByText(messages.cannotContinue)).toBeVisible());
    await expectButtons(question, [messages.startNew, messages.stayHere]);
  },
};
