import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { CheckoutEvent } from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import {
  button,
  dialog,
  frameParams,
  renderButton,
} from '../../support/browser/onRampButtonPage.js';

const region = () => document.querySelector<HTMLElement>('.ramp-inline');
const close = () => screen.getByRole('button', { name: 'Close the checkout' });
const opened = () => waitFor(() => expect(region()).not.toBeNull());

describe('<OnRampButton display="inline" />', () => {
  it('shows the widget in a named region of the page, without a dialog', async () => {
    const events: CheckoutEvent[] = [];
    renderButton({ display: 'inline', onEvent: (event) => events.push(event) });
    await userEvent.click(button());
    await opened();
    expect(screen.getByRole('region', { name: 'Checkout' })).toBe(region());
    expect(dialog()).toBeNull();
    expect(frameParams()).toMatchObject({ windowOpen: '1' });
    expect(document.activeElement).toBe(region());
    await waitFor(() => expect(region()?.dataset.state).toBe('ready'));
    expect(events).toMatchObject([
      { type: 'opened', display: 'inline' },
      { type: 'loaded', display: 'inline' },
    ]);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('closes, returns the focus, and opens again with another signature', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ display: 'inline', signer });
    await userEvent.click(button());
    await opened();
    const first = frameParams().signature;
    await userEvent.click(close());
    expect(region()).toBeNull();
    expect(document.activeElement).toBe(button());
    await userEvent.click(button());
    await opened();
    expect(frameParams().signature).not.toBe(first);
    expect(proposals).toHaveLength(2);
  });

  it('does not move the focus when it is elsewhere in the page', async () => {
    renderButton({ display: 'inline' });
    const field = document.body.appendChild(document.createElement('input'));
    await userEvent.click(button());
    await opened();
    const closing = close();
    field.focus();
    closing.click();
    expect(region()).toBeNull();
    expect(document.activeElement).toBe(field);
    field.remove();
  });

  it('is removed with the button', async () => {
    const { unmount } = renderButton({ display: 'inline' });
    await userEvent.click(button());
    await opened();
    unmount();
    expect(region()).toBeNull();
  });

  it('applies the permissions that the page sets for the frame', async () => {
    renderButton({
      display: 'inline',
      allow: 'payment',
      sandbox: 'allow-scripts',
      referrerPolicy: 'no-referrer',
    });
    await userEvent.click(button());
    await opened();
    const frame = screen.getByTitle<HTMLIFrameElement>('Checkout');
    expect(frame.allow).toBe('payment');
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts');
    expect(frame.referrerPolicy).toBe('no-referrer');
  });

  it('has a frame without a sandbox with sandbox={false}', async () => {
    renderButton({ display: 'inline', sandbox: false });
    await userEvent.click(button());
    await opened();
    expect(screen.getByTitle('Checkout').hasAttribute('sandbox')).toBe(false);
  });
});
