import type { RampMessages } from '../../../messages/RampMessages.js';
import { type StatusMessages, statusEnglish } from '../../../messages/StatusMessages.js';
import type {
  CheckoutProgress,
  CheckoutResponse,
} from '../../../protocol/handler/CheckoutResponse.js';
import { type AmountFormats, createAmountFormats } from '../../format/createAmountFormats.js';
import { createTimeFormat } from '../../format/createTimeFormat.js';
import type { CheckoutStatusState } from '../watch/CheckoutStatusState.js';

/** The state of the card with its texts and formats. */
export interface StatusView {
  /** The checkout, with a progress that this version knows. */
  readonly checkout: CheckoutResponse | undefined;
  /** Why the last request failed. */
  readonly trouble: 'lost' | 'refused' | 'broken' | undefined;
  readonly retry: (() => void) | undefined;
  readonly messages: StatusMessages & { readonly retry: string };
  readonly formats: AmountFormats;
  readonly time: ReturnType<typeof createTimeFormat>;
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

/** Adds the texts, and the amount and time formats of the reader's language. */
export function createStatusView(
  { checkout, error, retry }: Partial<CheckoutStatusState>,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): StatusView {
  const language = locale || document.documentElement.lang || navigator.language;
  return {
    // A newer backend may have other states, which must not be shown as a missing payment.
    checkout: checkout && {
      ...checkout,
      ...(!known.has(checkout.progress) && { progress: 'unconfirmed' }),
    },
    trouble: error && classifyTrouble(error.code),
    retry,
    // Copied, because the other texts of the checkout are not needed here.
    messages: { retry: 'Try again', ...statusEnglish, ...messages },
    formats: createAmountFormats(language),
    time: createTimeFormat(language, Date.now()),
  };
}

const classifyTrouble = (code: string): StatusView['trouble'] =>
  code === 'ERR_CONFIG_INVALID' ? 'broken' : /REQUEST|REFUSED/.test(code) ? 'refused' : 'lost';
