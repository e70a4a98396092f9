import type { Meta, StoryObj } from '@storybook/react-vite';
import type { Globals } from 'storybook/internal/csf';
import { expect, fn, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { respondWithError } from '../demo/rampBackend.js';
import { CheckoutNote, OnRampButton } from '../src/index.js';
import { RampError } from '../src/protocol/index.js';
import { ignoreLinks, pretendWebView, preventDeparture } from './support/browserFakes.js';
import { centered } from './support/centered.js';
import { refuseToContinue, serveProgress } from './support/checkoutBackend.js';
import { fakeWindows } from './support/fakeWindow.js';
import { OwnCheckout } from './support/OwnCheckout.js';
import ownCheckoutSource from './support/OwnCheckout.tsx?raw';
import { OwnPlaces } from './support/OwnPlaces.js';
import ownPlacesSource from './support/OwnPlaces.tsx?raw';
import { closeMidway, denyPayment } from './support/openedDialog.js';
import { pressButton } from './support/pressButton.js';

/** What is shown beside a button once its checkout was opened: an error, a link, or a notice. */
const meta = {
  title: 'Components/CheckoutNote',
  component: OnRampButton,
  parameters: { controls: { disable: true } },
  decorators: [centered],
  args: {
    amount: '100',
    defaultFiatCurrency: 'USD',
    cryptoCurrency: 'USDT_ERC20',
    onEvent: fn(),
    onError: fn(),
  },
  beforeEach({ msw }) {
    msw.use(serveProgress('waiting'));
    return fakeWindows().end;
  },
} satisfies Meta<typeof OnRampButton>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Returns the live region with the notice. */
const findNotice = (canvas: HTMLElement) => canvas.querySelector<HTMLElement>('.ramp-notice');

/** Waits until the notice has these texts and these buttons. */
async function expectNotice(
  canvas: HTMLElement,
  texts: readonly string[],
  buttons: readonly string[],
): Promise<void> {
  const find = () => findNotice(canvas) as HTMLElement;
  for (const text of texts)
    await waitFor(() => expect(find()).toHaveTextContent(text), { timeout: 20_000 });
  const shown = within(find()).queryAllByRole('button');
  await expect(shown.map(({ textContent }) => textContent)).toEqual(buttons);
}

/** Opens a window that the page then sees as closed, as that of a service with an opener policy. */
async function openHiddenWindow(canvasElement: HTMLElement): Promise<void> {
  const button = await pressButton(canvasElement);
  await waitFor(() => expect(button).toHaveAttribute('data-state', 'open'));
  window.open()?.close();
  await waitFor(() => expect(button).toHaveAttribute('data-state', 'idle'));
}

/** `useCheckout` opens the checkout from your own component, and `CheckoutNote` shows what happened, here an error. */
export const InOwnComponent: Story = {
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

/** `inlineRef` and `CheckoutNote` are placed by the page, and `useRamp` tells it the language of the checkout. */
export const InOwnPlaces: Story = {
  render: () => <OwnPlaces />,
  parameters: { docs: { source: { code: ownPlacesSource, language: 'tsx' } } },
  async play({ canvas, canvasElement, globals }) {
    const { code, messages } = findLanguage(globals);
    await expect(canvas.getByText(new RegExp(`“${code}”`))).toBeVisible();
    await pressButton(canvasElement);
    const region = await canvas.findByRole('region', { name: messages.checkout });
    await waitFor(() => expect(region).toHaveAttribute('data-state', 'ready'));
    await expect(canvas.getByRole('button', { name: 'Checkout is open' })).toBeVisible();
  },
};

/** The code of the checkout could not be loaded, as after a new deployment. Only a reload of the page helps. */
export const CodeLost: Story = {
  render: (_args, { globals: { language } }) => (
    <CheckoutNote
      checkout={{
        status: 'error',
        error: new RampError('ERR_NETWORK', 'The code of the checkout could not be loaded.'),
        messages: findLanguage({ language }).messages,
      }}
    />
  ),
  async play({ canvas, globals }) {
    const { messages } = findLanguage(globals);
    await expect(canvas.getByRole('alert')).toHaveTextContent(messages.reload);
    await expect(canvas.queryByRole('button')).toBeNull();
  },
};

/** The shopper closed the checkout midway. The notice below the button waits for an order, and offers to continue. */
export const MayBePaid: Story = {
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expectNotice(canvasElement, [messages.doNotPayAgain], [messages.resume]);
  },
};

/** The order of the closed checkout has arrived: the notice says so, and the page learns it too. */
export const Delivered: Story = {
  args: { onStatusChange: fn() },
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expectNotice(canvasElement, [messages.delivered, messages.deliveredHint], []);
    await waitFor(() =>
      expect(args.onStatusChange).toHaveBeenLastCalledWith(
        expect.objectContaining({ progress: 'finished' }),
      ),
    );
  },
};

/** An order has arrived that does not match what was signed. */
export const UnderReview: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('review')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expectNotice(canvasElement, [messages.review, messages.reviewHint], []);
  },
};

/** The closed checkout has expired without a payment. One may still arrive late. */
export const Expired: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('expired')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expectNotice(canvasElement, [messages.expired, messages.expiredHint], []);
  },
};

/**
 * The shopper closed the checkout midway, and clicks the button again. The notice asks first, because a second checkout
 * may be a second payment.
 */
export const AskedBeforeSecondCheckout: Story = {
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await canvas.findByRole('button', { name: messages.resume });
    await userEvent.click(canvas.getByRole('button', { name: messages.buy }));
    await expectNotice(
      canvasElement,
      [messages.paidQuestion, messages.doNotPayAgain],
      [messages.resume, messages.startNew],
    );
  },
};

/** The shopper has paid for this already, and clicks the button again. */
export const AlreadyPaid: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await expectNotice(canvasElement, [messages.delivered], []);
    await userEvent.click(canvas.getByRole('button', { name: messages.buy }));
    await expectNotice(
      canvasElement,
      [messages.alreadyPaid, messages.delivered],
      [messages.startNew],
    );
  },
};

/**
 * With `notice={false}` the page says itself what became of the checkout. The question before a second one remains,
 * because only this package knows that it has to be asked.
 */
export const NoticeSwitchedOff: Story = {
  args: { notice: false },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    const button = await canvas.findByRole('button', { name: messages.buy });
    await waitFor(() => expect(button).toHaveAttribute('data-state', 'idle'));
    await expect(canvas.queryByText(messages.doNotPayAgain, { exact: false })).toBeNull();
    await userEvent.click(button);
    await expectNotice(
      canvasElement,
      [messages.paidQuestion],
      [messages.resume, messages.startNew],
    );
  },
};

/** The shopper has chosen to continue the closed checkout, which opens again where it was. */
export const Continued: Story = {
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await userEvent.click(await canvas.findByRole('button', { name: messages.resume }));
    const dialog = await within(document.body).findByRole('dialog', { name: messages.checkout });
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(findNotice(canvasElement)).toBeEmptyDOMElement();
  },
};

/** The closed checkout was to be continued, but it has ended. */
export const Ended: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(410, 'ERR_REQUEST')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await userEvent.click(await canvas.findByRole('button', { name: messages.resume }));
    await expectNotice(canvasElement, [messages.checkoutEnded], []);
  },
};

/** The closed checkout was to be continued, but the backend could not tell whether it is paid. */
export const Unknown: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(500, 'ERR_INTERNAL')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await userEvent.click(await canvas.findByRole('button', { name: messages.resume }));
    await expectNotice(
      canvasElement,
      [messages.couldNotCheck, messages.doNotPayAgain],
      [messages.resume],
    );
  },
};

/** The backend found an order when the closed checkout was to be continued. The notice does not know its state yet. */
export const PaidMeanwhile: Story = {
  beforeEach: ({ msw }) => msw.use(refuseToContinue(409, 'ERR_ORDER_EXISTS')),
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await closeMidway(canvasElement, globals);
    await userEvent.click(await canvas.findByRole('button', { name: messages.resume }));
    await expectNotice(canvasElement, [messages.paymentReceived], []);
  },
};

/** The checkout is open in a window of its own. The note below the button brings that window to the front. */
export const OpenWindow: Story = {
  args: { display: 'window' },
  async play({ canvasElement, args, globals }) {
    const { messages } = findLanguage(globals);
    const button = await pressButton(canvasElement);
    await waitFor(() => expect(button).toHaveAttribute('data-state', 'open'));
    await expectNotice(canvasElement, [messages.windowOpen], [messages.showWindow]);
    await expect(args.onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: 'opened' }));
  },
};

/** The order has arrived while the window is open. */
export const PaidInWindow: Story = {
  args: { display: 'window' },
  beforeEach: ({ msw }) => msw.use(serveProgress('finished')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await pressButton(canvasElement);
    await expectNotice(canvasElement, [messages.delivered], [messages.showWindow]);
  },
};

/**
 * The shopper moved the checkout to a new window, and an order has arrived. It may be that of the first widget, so the
 * notice asks to close the window.
 */
export const MovedToWindow: Story = {
  beforeEach: ({ msw }) => msw.use(serveProgress('waiting', 'finished')),
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await denyPayment(canvasElement, globals);
    await expectNotice(canvasElement, [messages.windowOpen], [messages.showWindow]);
    await expectNotice(
      canvasElement,
      [messages.closeOtherWindow, messages.delivered],
      [messages.showWindow],
    );
  },
};

/**
 * The page cannot see the window of the checkout: the service hides it, or the shopper has closed it before it had
 * loaded.
 */
export const HiddenWindow: Story = {
  args: { display: 'window' },
  async play({ canvasElement, globals }) {
    await openHiddenWindow(canvasElement);
    await expectNotice(canvasElement, [findLanguage(globals).messages.windowHidden], []);
  },
};

/** The shopper clicks the button again although the checkout may be open in a window that the page cannot see. */
export const HiddenWindowAsked: Story = {
  args: { display: 'window' },
  async play({ canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await openHiddenWindow(canvasElement);
    await pressButton(canvasElement);
    await expectNotice(canvasElement, [messages.findWindow], [messages.resume, messages.startNew]);
  },
};

/** Opens the checkout where no window opens, and returns the link in its place. */
async function findLink(canvas: HTMLElement, globals: Globals): Promise<HTMLElement> {
  const { messages } = findLanguage(globals);
  const button = await pressButton(canvas);
  const link = await within(canvas).findByRole('link', { name: messages.openHere });
  await expect(link).toHaveAttribute('href', expect.stringContaining('/widget/home?'));
  await expect(button).toHaveAttribute('data-state', 'blocked');
  return link;
}

/** The browser blocked the window, so a link is shown. */
export const BlockedWindow: Story = {
  args: { display: 'window' },
  beforeEach() {
    spyOn(window, 'open').mockReturnValue(null);
  },
  async play({ canvas, canvasElement, args, globals }) {
    await findLink(canvasElement, globals);
    await expect(canvas.getByRole('alert')).toBeVisible();
    await expect(args.onError).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'ERR_WIDGET_BLOCKED' }),
    );
  },
};

/**
 * The web view of an app: no window is opened, because it might replace the page. The link opens nothing either, so a
 * button opens the checkout in place of the page.
 */
export const NoWindowInWebView: Story = {
  args: { display: 'window' },
  beforeEach() {
    pretendWebView();
    return ignoreLinks();
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const link = await findLink(canvasElement, globals);
    await expect(window.open).not.toHaveBeenCalled();
    await userEvent.click(link);
    const button = await canvas.findByRole('button', { name: messages.openInPlace });
    await expect(button).toBeVisible();
    await expect(link).toBeVisible();
  },
};

/** The shopper pressed that button, and the page is left. A shopper who comes back may have paid, and can continue. */
export const OpenedInPlace: Story = {
  args: { display: 'window' },
  beforeEach() {
    pretendWebView();
    return ignoreLinks();
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    const departure = preventDeparture();
    await userEvent.click(await findLink(canvasElement, globals));
    await userEvent.click(await canvas.findByRole('button', { name: messages.openInPlace }));
    await expect(await departure.find()).toContain('/widget/home?');
    departure.end();
    await expectNotice(canvasElement, [messages.doNotPayAgain], [messages.resume]);
  },
};
