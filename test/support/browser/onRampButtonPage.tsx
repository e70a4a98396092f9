import { cleanup, render, screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, expect, vi } from 'vitest';
import { OnRampButton, type OnRampButtonProps } from '../../../src/index.js';
import '../../../src/styles.css';

// The frame shows this page's own server: what it answers does not matter here.
export const widgetUrl = `${location.origin}/widget`;
export const signerMs = 50;

export const button = () => screen.getByRole('button', { name: 'Buy crypto' });
export const dialog = () => document.querySelector<HTMLDialogElement>('dialog');
export const frameParams = () => {
  const frame = document.querySelector('iframe');
  return Object.fromEntries(new URL(frame?.src ?? 'about:blank').searchParams);
};
export const waitForDialog = () => waitFor(() => expect(dialog()?.open).toBe(true));

export const findAxeViolations = async (root: Element) => {
  // Half faded in, anything has too little contrast.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  const { violations } = await axe.run(root, { rules: { region: { enabled: false } } });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
};

export const renderButton = (props: Partial<OnRampButtonProps> = {}) =>
  render(<OnRampButton {...({ widgetUrl, ...props } as OnRampButtonProps)} />);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
