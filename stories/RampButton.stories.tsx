import type { Meta, StoryObj } from '@storybook/react-vite';
import type { Globals } from 'storybook/internal/csf';
import { expect, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../demo/languages.js';
import { failRoute, respondWithError, stallRoute } from '../demo/rampBackend.js';
import { ignoreLinks, pretendWebView } from './support/browserFakes.js';
import { centered } from './support/centered.js';
import { serveProgress } from './support/checkoutBackend.js';
import { fakeWindows } from './support/fakeWindow.js';
import { skipSixSeconds } from './support/openedDialog.js';
import { ShopElement } from './support/ShopElement.js';

const meta = {
  title: 'Components/RampButton',
  component: ShopElement,
  decorators: [centered],
  args: { amount: '100' },
  argTypes: {
    amount: { control: 'text' },
    display: { control: 'inline-radio', options: ['modal', 'inline', 'window'] },
    children: { description: 'The label of the button.', control: 'text' },
  },
  beforeEach({ msw }) {
    msw.use(serveProgress('waiting'));
    return fakeWindows().end;
  },
} satisfies Meta<typeof ShopElement>;

export default meta;

type Story = StoryObj<typeof meta>;

const findElement = (canvas: HTMLElement) => canvas.querySelector('ramp-button') as HTMLElement;

/** Clicks the button in the element, and returns the element. */
async function press(canvas: HTMLElement): Promise<HTMLElement> {
  const element = findElement(canvas);
  await userEvent.click(element.shadowRoot?.querySelector('button') as HTMLElement);
  return element;
}

const findDialog = (globals: Globals) =>
  within(document.body).findByRole('dialog', { name: findLanguage(globals).messages.checkout });

/** The idle button. Without content it has a label in the language of its settings. */
export const Idle: Story = {
  async play({ canvasElement, globals }) {
    const element = findElement(canvasElement);
    await expect(element).toHaveAttribute('data-state', 'idle');
    await expect(element.shadowRoot).toHaveTextContent(findLanguage(globals).messages.buy);
  },
};

/** The content of the element is its label. A disabled button opens nothing. */
export const Disabled: Story = {
  args: { disabled: true, children: 'Sold out' },
  async play({ canvas, canvasElement }) {
    await expect(canvas.getByText('Sold out')).toBeVisible();
    const element = findElement(canvasElement);
    await expect(element.shadowRoot?.querySelector('button')).toBeDisabled();
  },
};

/** The button waits for the signature. A spinner replaces the icon. */
export const Signing: Story = {
  beforeEach({ msw }) {
    msw.use(stallRoute('checkouts'));
  },
  async play({ canvasElement }) {
    await expect(await press(canvasElement)).toHaveAttribute('data-state', 'signing');
  },
};

/** The widget in a dialog over the page. */
export const Open: Story = {
  async play({ canvasElement, globals }) {
    const element = await press(canvasElement);
    const dialog = await findDialog(globals);
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    await expect(element).toHaveAttribute('data-state', 'open');
  },
};

/** The widget in the page, in the child with `slot="inline"`. */
export const Inline: Story = {
  args: { display: 'inline' },
  async play({ canvas, canvasElement, globals }) {
    await press(canvasElement);
    const { messages } = findLanguage(globals);
    const region = await canvas.findByRole('region', { name: messages.checkout });
    await waitFor(() => expect(region).toHaveAttribute('data-state', 'ready'));
  },
};

/** The policy refused the checkout with a message for the shopper. */
export const Refused: Story = {
  beforeEach({ msw }) {
    msw.use(respondWithError('checkouts', 403, 'ERR_POLICY_REFUSED', 'This print has been sold.'));
  },
  async play({ canvas, canvasElement }) {
    const element = await press(canvasElement);
    await expect(await canvas.findByText(/has been sold/)).toBeVisible();
    await expect(element).toHaveAttribute('data-state', 'error');
  },
};

/** The backend cannot be reached. A button tries again. */
export const Offline: Story = {
  beforeEach({ msw }) {
    msw.use(failRoute('checkouts'));
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await press(canvasElement);
    await expect(await canvas.findByText(messages.offline, { exact: false })).toBeVisible();
    await expect(canvas.getByRole('button', { name: messages.retry })).toBeVisible();
  },
};

/** The checkout is open in a window of its own. */
export const OpenWindow: Story = {
  args: { display: 'window' },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await press(canvasElement);
    await expect(await canvas.findByRole('button', { name: messages.showWindow })).toBeVisible();
    await expect(canvas.getByText(messages.windowOpen)).toBeVisible();
  },
};

/** The browser blocked the window, so a link is shown. */
export const BlockedWindow: Story = {
  args: { display: 'window' },
  beforeEach() {
    spyOn(window, 'open').mockReturnValue(null);
  },
  async play({ canvas, canvasElement, globals }) {
    const element = await press(canvasElement);
    const { messages } = findLanguage(globals);
    await expect(await canvas.findByRole('link', { name: messages.openHere })).toBeVisible();
    await expect(element).toHaveAttribute('data-state', 'blocked');
  },
};

/** In the web view of an app, neither a window nor the link opens anything. A button opens the checkout in this page. */
export const NoWindowInWebView: Story = {
  args: { display: 'window' },
  beforeEach() {
    pretendWebView();
    return ignoreLinks();
  },
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await press(canvasElement);
    await userEvent.click(await canvas.findByRole('link', { name: messages.openHere }));
    await expect(await canvas.findByRole('button', { name: messages.openInPlace })).toBeVisible();
  },
};

/** The shopper closed the checkout midway, and clicks again. The notice asks before a second checkout. */
export const AskedBeforeSecondCheckout: Story = {
  async play({ canvas, canvasElement, globals }) {
    const { messages } = findLanguage(globals);
    await press(canvasElement);
    const dialog = await findDialog(globals);
    await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'));
    skipSixSeconds();
    await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
    await canvas.findByText(messages.doNotPayAgain);
    await press(canvasElement);
    await expect(await canvas.findByText(messages.paidQuestion, { exact: false })).toBeVisible();
    const buttons = canvas.getAllByRole('button').map(({ textContent }) => textContent);
    await expect(buttons).toEqual([messages.resume, messages.startNew]);
  },
};

/** The element and its error in Arabic, right to left. */
export const RightToLeft: Story = { ...Offline, globals: { language: 'ar' } };
