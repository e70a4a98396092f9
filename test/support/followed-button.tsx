import { act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import {
  type CheckoutAnswer,
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
} from '../../src/index.js';
import { countingSigner } from './counting-signer.js';
import { button, dialog, opened, widgetUrl } from './on-ramp-button.js';
import type { Asked } from './status-backend.js';

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The reference that a stream is about. */
export const referenceOf = ({ path }: Asked) => path.split('/').at(-2) ?? '';

export let signer: ReturnType<typeof countingSigner>;
export let told: CheckoutAnswer[];
export const tell = (answer: CheckoutAnswer) => void told.push(answer);
export const progress = () => told.map((answer) => answer.progress);

export const page = (props: Partial<OnRampButtonProps> = {}) => (
  <RampProvider widgetUrl={widgetUrl} api="/api/ramp" signer={signer.signer}>
    <OnRampButton {...({ onStatusChange: tell, ...props } as OnRampButtonProps)} />
  </RampProvider>
);

export const close = async () => {
  act(() => dialog()?.close());
  await waitFor(() => expect(dialog()).toBeNull());
};
export const openOnce = async () => {
  act(() => button().click());
  await opened();
};

/** A signer of its own and nothing told, for each test of a file. */
export function eachAnew(): void {
  beforeEach(() => {
    signer = countingSigner();
    told = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
