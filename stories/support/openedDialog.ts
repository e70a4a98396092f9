import type { Globals } from 'storybook/internal/csf';
import { expect, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { findLanguage } from '../../demo/languages.js';
import { pressButton } from './pressButton.js';

/** Clicks the button of a story, and waits for the dialog of its checkout. */
export async function openDialog(canvas: HTMLElement, globals: Globals): Promise<HTMLElement> {
  const { messages } = findLanguage(globals);
  await pressButton(canvas);
  return within(document.body).findByRole('dialog', { name: messages.checkout });
}

/** Opens the checkout in a dialog, and waits until its widget has loaded. */
export async function openLoadedDialog(
  canvas: HTMLElement,
  globals: Globals,
): Promise<HTMLElement> {
  const dialog = await openDialog(canvas, globals);
  await waitFor(() => expect(dialog).toHaveAttribute('data-state', 'ready'), { timeout: 10_000 });
  return dialog;
}

/**
 * Sets `performance.now()` six seconds ahead until the end of the story. When a widget has been open for five seconds,
 * the package assumes that the shopper may have paid.
 */
export function skipSixSeconds(): void {
  const now = performance.now.bind(performance);
  spyOn(performance, 'now').mockImplementation(() => now() + 6000);
}

/** Opens the checkout in a dialog, and closes the dialog after a time in which the shopper may have paid. */
export async function closeMidway(canvas: HTMLElement, globals: Globals): Promise<void> {
  const { messages } = findLanguage(globals);
  const dialog = await openLoadedDialog(canvas, globals);
  skipSixSeconds();
  await userEvent.click(within(dialog).getByRole('button', { name: messages.close }));
}

/**
 * Opens the checkout in a dialog, asks for a new window after a time in which the shopper may have paid, and answers the
 * question with "No".
 *
 * @returns The question.
 */
export async function denyPayment(canvas: HTMLElement, globals: Globals): Promise<HTMLElement> {
  const { messages } = findLanguage(globals);
  const dialog = await openLoadedDialog(canvas, globals);
  skipSixSeconds();
  await userEvent.click(within(dialog).getByRole('button', { name: messages.newWindow }));
  const question = within(dialog).getByRole('alertdialog', { name: messages.paidQuestion });
  await userEvent.click(within(question).getByRole('button', { name: messages.notPaid }));
  return question;
}
