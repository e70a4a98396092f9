// The build replaces these constants with their values (see vite.config.ts). A component shows them before its lazy
// code has loaded, so its first load would otherwise contain all texts of the component.

import { checkoutEnglish } from './CheckoutMessages.js';
import { historyEnglish } from './HistoryMessages.js';
import { statusEnglish } from './StatusMessages.js';

/** The English texts of the buttons, and those that several components show. */
export const { buy, buyNft, retry, reload, offline } = checkoutEnglish;

/** The English texts of the status card until its code has loaded. */
export const { order, orderLoading } = statusEnglish;

/** The English texts of the history until its code has loaded. */
export const { history, historyLoading } = historyEnglish;
