import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type CheckoutResponse, RampProvider, useCheckoutStatus } from '../../../src/index.js';
import { createCheckoutResponse } from '../../support/browser/statusBackend.js';

/** Creates the status response of a checkout, by default of an NFT. */
export const createNftResponse = (
  progress: CheckoutResponse['progress'],
  widget: CheckoutResponse['widget'] = 'nft',
) => createCheckoutResponse({ progress, widget });

const wrapper = ({ children }: { children: ReactNode }) => (
  <RampProvider api="/api/ramp/" headers={{ 'X-Token': 't' }} credentials="include">
    {children}
  </RampProvider>
);

/** Renders `useCheckoutStatus` within a provider. A rerender can pass another reference as `of`. */
export const renderCheckoutStatus = (initialProps: { of: string | undefined } = { of: 'r1' }) =>
  renderHook(({ of }) => useCheckoutStatus(of), { wrapper, initialProps });
