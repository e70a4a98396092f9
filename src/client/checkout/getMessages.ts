import { type CheckoutMessages, checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { completeMessages } from '../completeMessages.js';
import type { CheckoutSettings } from './CheckoutSettings.js';

/** Returns the texts of a checkout: those of the page, and English for the others. */
export const getMessages = ({ messages }: Pick<CheckoutSettings, 'messages'>): CheckoutMessages =>
  completeMessages(checkoutEnglish, messages);
