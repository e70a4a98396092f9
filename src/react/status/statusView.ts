import type { RampMessages } from '../../messages/RampMessages.js';
import { type StatusMessages, statusEnglish } from '../../messages/StatusMessages.js';
import type { CheckoutAnswer, CheckoutProgress } from '../../protocol/handler-answers.js';
import { type AmountFormats, formatAmount } from '../quote/formatAmount.js';
import { timeFormat } from './timeFormat.js';
import type { CheckoutStatusState } from './useCheckoutStatus.js';

/** What the card shows, with the words and figures to show it in. */
export interface StatusView {
  /** With a progress that is known here. */
  readonly answer: CheckoutAnswer | undefined;
  /** What keeps the backend from being asked. */
  readonly trouble: 'lost' | 'refused' | 'broken' | undefined;
  readonly retry: () => void;
  readonly messages: StatusMessages & { readonly retry: string };
  readonly formats: AmountFormats;
  readonly time: ReturnType<typeof timeFormat>;
}

const known: ReadonlySet<string> = new Set<CheckoutProgress>([
  'waiting',
  'unconfirmed',
  'finished',
  'settlement',
  'settled',
  'expired',
  'review',
]);

/** Adds the words, and the figures and times of the reader's language. */
export function statusView(
  { answer, error, retry }: CheckoutStatusState,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): StatusView {
  const language = locale || document.documentElement.lang || navigator.language;
  return {
    // A newer backend may know more: nobody must take that for a payment that is missing.
    answer: answer && {
      ...answer,
      ...(!known.has(answer.progress) && { progress: 'unconfirmed' }),
    },
    trouble: error && troubleOf(error.code),
    retry,
    // Written out: the other texts of the checkout are not needed here.
    messages: { retry: 'Try again', ...statusEnglish, ...messages },
    formats: formatAmount(language),
    time: timeFormat(language, Date.now()),
  };
}

const troubleOf = (code: string): StatusView['trouble'] =>
  code === 'ERR_CONFIG_INVALID' ? 'broken' : /REQUEST|REFUSED/.test(code) ? 'refused' : 'lost';
