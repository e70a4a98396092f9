import { type CheckoutMessages, checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { completeMessages } from '../completeMessages.js';
import type { CheckoutSettings } from './CheckoutSettings.js';

/** Returns a checkout's texts: the page's own, and English where the page passes none. */
export const getMessages = ({ messages }: Pick<CheckoutSettings, 'messages'>): CheckoutMessages =>
  completeMessages(checkoutEnglish, messages);
