import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
import { OnRampButton, type OnRampButtonProps } from '../../../src/index.js';
import '../../../src/styles.css';

// The frame loads a URL of the test server. These tests do not depend on its response.
export const widgetUrl = `${location.origin}/widget`;
export const signerMs = 50;

export const button = () => screen.getByRole('button', { name: 'Buy crypto' });
export const dialog = () => document.querySelector<HTMLDialogElement>('dialog');
export const frameParams = () => {
  const frame = document.querySelector('iframe');
  return Object.fromEntries(new URL(frame?.src ?? 'about:blank').searchParams);
};
export const waitForDialog = () => waitFor(() => expect(dialog()?.open).toBe(true));

export const renderButton = (props: Partial<OnRampButtonProps> = {}) =>
  render(<OnRampButton {...({ widgetUrl, ...props } as OnRampButtonProps)} />);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
