import { expect, userEvent, waitFor, within } from 'storybook/test';

/** Building the page and drawing it takes its time where many tests run at once. */
const patience = { timeout: 10_000 };

const frame = () => document.querySelector<HTMLIFrameElement>('iframe.ramp-frame');

/** The hosted widget in its frame, once it has come to a state: `form`, `finished`, `refused`. */
export function hostedWidget(state: string): Promise<HTMLElement> {
  return waitFor(() => {
    const main = frame()?.contentDocument?.querySelector('main');
    expect(main).toHaveAttribute('data-state', state);
    return main as HTMLElement;
  }, patience);
}

/** The address that the frame was sent to. */
export const openedUrl = (): string | undefined => frame()?.src;

/** The text whose signature the widget found right. */
export async function verifiedText(): Promise<string | undefined> {
  const widget = await hostedWidget('form');
  return widget.closest<HTMLElement>('[data-verified]')?.dataset.verified;
}

/** Goes through the hosted widget to a finished order, as a shopper would. */
export async function pay(): Promise<HTMLElement> {
  const form = within(await hostedWidget('form'));
  await userEvent.click(form.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await form.findByLabelText('E-mail'), 'shopper@example.com');
  await userEvent.click(form.getByRole('button', { name: /^Pay / }));
  return hostedWidget('finished');
}
