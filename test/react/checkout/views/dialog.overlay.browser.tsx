import { act, render, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton } from '../../../../src/index.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../../support/browser/onRampButtonPage.js';

const textStyles = {
  cursor: 'pointer',
  userSelect: 'none',
  lineHeight: '3',
  letterSpacing: '4px',
  textAlign: 'center',
  textTransform: 'uppercase',
  whiteSpace: 'nowrap',
} as const;

const overlay = () => document.querySelector<HTMLElement>('[role="menu"]');
const close = () => dialog()?.querySelector<HTMLButtonElement>('.ramp-bar-close')?.click();

/** Opens the checkout of a button in an overlay. */
async function openInOverlay(onClose?: () => void): Promise<HTMLDialogElement> {
  render(
    <div role="menu" style={textStyles}>
      <OnRampButton widgetUrl={widgetUrl} onClose={onClose} />
    </div>,
  );
  act(() => button().click());
  await waitForDialog();
  return dialog() as HTMLDialogElement;
}

it('does not take over the text styles of the overlay around its button', async () => {
  const readStyles = () => {
    const style = getComputedStyle(dialog() as HTMLDialogElement);
    return Object.keys(textStyles).map((name) => style[name as keyof typeof textStyles]);
  };
  const { unmount } = renderButton();
  act(() => button().click());
  await waitForDialog();
  const styles = readStyles();
  unmount();
  await openInOverlay();
  expect(readStyles()).toEqual(styles);
});

it('ends when the overlay is hidden, because a hidden modal dialog would block the page', async () => {
  const onClose = vi.fn();
  await openInOverlay(onClose);
  (overlay() as HTMLElement).style.display = 'none';
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(dialog()).toBeNull();
});

it('opens in the page when the overlay around its button is hidden already', async () => {
  render(
    <div popover="auto">
      <OnRampButton widgetUrl={widgetUrl} />
    </div>,
  );
  act(() => document.querySelector<HTMLButtonElement>('.ramp-button')?.click());
  await waitForDialog();
  expect(dialog()?.parentElement).toBe(document.body);
  expect(dialog()?.checkVisibility()).toBe(true);
});

it('handles Escape after its focused button was removed', async () => {
  const opened = await openInOverlay();
  const listener = vi.fn();
  document.addEventListener('keydown', listener, true);
  opened.querySelector<HTMLElement>('.ramp-bar-window')?.focus();
  opened.querySelector('.ramp-bar-window')?.remove();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{Escape}');
  document.removeEventListener('keydown', listener, true);
  await waitFor(() => expect(dialog()).toBeNull());
  expect(listener).not.toHaveBeenCalled();
});

it('leaves the keys to the page once it is closed', async () => {
  await openInOverlay();
  act(close);
  await waitFor(() => expect(dialog()).toBeNull());
  const listener = vi.fn();
  document.addEventListener('keydown', listener, true);
  await userEvent.keyboard('{Escape}');
  document.removeEventListener('keydown', listener, true);
  expect(listener).toHaveBeenCalledOnce();
});
