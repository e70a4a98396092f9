import type { Globals } from 'storybook/internal/csf';
import { expect, spyOn, waitFor, within } from 'storybook/test';
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
