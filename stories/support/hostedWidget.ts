import { expect, userEvent, waitFor, within } from 'storybook/test';

/** Building the page and drawing it takes its time where many tests run at once. */
const waitOptions = { timeout: 10_000 };

const findFrame = () => document.querySelector<HTMLIFrameElement>('iframe.ramp-frame');

/** The hosted widget in its frame, once it has come to a state: `form`, `finished`, `refused`. */
export function findHostedWidget(state: string): Promise<HTMLElement> {
  return waitFor(() => {
    const main = findFrame()?.contentDocument?.querySelector('main');
    expect(main).toHaveAttribute('data-state', state);
    return main as HTMLElement;
  }, waitOptions);
}

/** The address that the frame was sent to. */
export const getOpenedUrl = (): string | undefined => findFrame()?.src;

/** The text whose signature the widget found right. */
export async function findVerifiedText(): Promise<string | undefined> {
  const widget = await findHostedWidget('form');
  return widget.closest<HTMLElement>('[data-verified]')?.dataset.verified;
}

/** Goes through the hosted widget to a finished order, as a shopper would. */
export async function completePayment(): Promise<HTMLElement> {
  const form = within(await findHostedWidget('form'));
  await userEvent.click(form.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await form.findByLabelText('E-mail'), 'shopper@example.com');
  await userEvent.click(form.getByRole('button', { name: /^Pay / }));
  return findHostedWidget('finished');
}
