import { act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import {
  type CheckoutResponse,
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
} from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';
import type { StatusRequest } from '../../support/browser/statusBackend.js';

export const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Returns the newest checkout that the page asks for. */
export const getNewest = ({ references }: StatusRequest) => references.at(-1) ?? '';

export let signer: ReturnType<typeof countingSigner>;
export let statusChanges: CheckoutResponse[];
export const recordStatusChange = (checkout: CheckoutResponse) => void statusChanges.push(checkout);
export const progressHistory = () => statusChanges.map(({ progress }) => progress);

export const statusChangePage = (props: Partial<OnRampButtonProps> = {}) => (
  <RampProvider widgetUrl={widgetUrl} api="/api/ramp" signer={signer.signer}>
    <OnRampButton {...({ onStatusChange: recordStatusChange, ...props } as OnRampButtonProps)} />
  </RampProvider>
);

export const closeWidgetDialog = async () => {
  act(() => dialog()?.close());
  await waitFor(() => expect(dialog()).toBeNull());
};
export const openWidgetDialog = async () => {
  act(() => button().click());
  await waitForDialog();
};

/** Gives each test of the file a new `signer` and empty `statusChanges`, and cleans up after it. */
export function resetBeforeEach(): void {
  beforeEach(() => {
    signer = countingSigner();
    statusChanges = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
