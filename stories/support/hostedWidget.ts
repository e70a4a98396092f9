import { expect, userEvent, waitFor, within } from 'storybook/test';

/** Waits for up to ten seconds, because the widget's page renders slowly while many tests run. */
const waitOptions = { timeout: 10_000 };

const findFrame = () => document.querySelector<HTMLIFrameElement>('iframe.ramp-frame');

/** Waits for a state of the hosted widget in its frame: `form`, `finished`, `refused`. */
export function findHostedWidget(state: string): Promise<HTMLElement> {
  return waitFor(() => {
    const main = findFrame()?.contentDocument?.querySelector('main');
    expect(main).toHaveAttribute('data-state', state);
    return main as HTMLElement;
  }, waitOptions);
}

export const getOpenedUrl = (): string | undefined => findFrame()?.src;

/** Waits for the widget's form, and returns the signed text that the widget has verified. */
export async function findVerifiedText(): Promise<string | undefined> {
  const widget = await findHostedWidget('form');
  return widget.closest<HTMLElement>('[data-verified]')?.dataset.verified;
}

/** Completes a payment in the hosted widget, as a shopper would. */
export async function completePayment(): Promise<HTMLElement> {
  const form = within(await findHostedWidget('form'));
  await userEvent.click(form.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await form.findByLabelText('E-mail'), 'shopper@example.com');
  await userEvent.click(form.getByRole('button', { name: /^Pay / }));
  return findHostedWidget('finished');
}
