import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type CheckoutResponse, RampProvider, useCheckoutStatus } from '../../../src/index.js';
import { createCheckoutResponse } from './statusBackend.js';

/** Creates the state of an NFT checkout, unless another widget is given. */
export const createNftResponse = (
  progress: CheckoutResponse['progress'],
  widget: CheckoutResponse['widget'] = 'nft',
) => createCheckoutResponse({ progress, widget });

const wrapper = ({ children }: { children: ReactNode }) => (
  <RampProvider api="/api/ramp/" headers={{ 'X-Token': 't' }} credentials="include">
    {children}
  </RampProvider>
);

/** Renders the hook within a provider. */
export const renderCheckoutStatus = (initialProps: { of: string | undefined } = { of: 'r1' }) =>
  renderHook(({ of }) => useCheckoutStatus(of), { wrapper, initialProps });
