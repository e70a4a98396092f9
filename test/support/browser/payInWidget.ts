import type { Frame } from 'playwright';

const main = (frame: Frame) => frame.locator('main[data-state]');

/** Waits until the hosted widget has loaded or refused the checkout. Returns the widget's `data-state`. */
export async function getWidgetState(frame: Frame): Promise<string | null> {
  await main(frame).waitFor();
  return main(frame).getAttribute('data-state');
}

/** Pays in the hosted widget, as a shopper does, and waits until the order has finished. */
export async function payInWidget(frame: Frame): Promise<void> {
  await frame.getByRole('button', { name: 'Continue' }).click();
  await frame.getByLabel('E-mail').fill('shopper@example.com');
  await frame.getByRole('button', { name: /^Pay / }).click();
  await frame.locator('main[data-state="finished"]').waitFor();
  await frame.getByRole('heading', { name: 'Payment complete' }).waitFor();
}
