import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
import { OnRampButton, type OnRampButtonProps } from '../../../src/index.js';
import '../../../src/styles.css';

// The frame loads this URL of the test server. Any response will do, because the tests do not look into the frame.
export const widgetUrl = `${location.origin}/widget`;
export const signerMs = 50;

export const button = () => screen.getByRole('button', { name: 'Buy crypto' });
export const dialog = () => document.querySelector<HTMLDialogElement>('dialog');
export const frameParams = () => {
  const frame = document.querySelector('iframe');
  return Object.fromEntries(new URL(frame?.src ?? 'about:blank').searchParams);
};
/** Waits for the dialog and for its frame, which follows once the dialog is painted. */
export const waitForDialog = () =>
  waitFor(() => {
    expect(dialog()?.open).toBe(true);
    expect(dialog()?.querySelector('iframe')).not.toBeNull();
  });

export const renderButton = (props: Partial<OnRampButtonProps> = {}) =>
  render(<OnRampButton {...({ widgetUrl, ...props } as OnRampButtonProps)} />);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
