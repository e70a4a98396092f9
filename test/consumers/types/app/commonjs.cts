import { type CheckoutSigner, OnRampButton, RampError } from '@partner-ramp/react';
import { messages } from '@partner-ramp/react/messages/de';
import { buildWidgetUrl } from '@partner-ramp/react/protocol';
import { startSandbox } from '@partner-ramp/react/sandbox';
import { createWidgetSigner, type OrderStore } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createTestBackend } from '@partner-ramp/react/testing';

export const signer: CheckoutSigner = async () => {
  throw new RampError('ERR_SIGNER', messages.buy ?? '');
};
export const store = (...args: Parameters<typeof sqlOrderStore>): OrderStore =>
  sqlOrderStore(...args);
export {
  buildWidgetUrl,
  createTestBackend,
  createWidgetSigner,
  OnRampButton,
  startSandbox,
  toExpress,
  toNodeHandler,
};
