import { useId } from 'react';
import { statusEnglish } from '../../messages/StatusMessages.js';
import type { CheckoutAnswer } from '../../protocol/handler-answers.js';
import type { RampSettings } from '../checkout-types.js';
import { focusCard } from '../quote/focusCard.js';
import { statusView } from './statusView.js';
import { statusWords } from './statusWords.js';

interface OtherCheckoutsProps {
  readonly answers: readonly CheckoutAnswer[];
  readonly settings: Pick<RampSettings, 'messages' | 'language'>;
  readonly locale: string | undefined;
  readonly onShow: (reference: string) => void;
}

/** The shopper's other checkouts, a line each: the state, the amount when it is known, and a button. */
export function OtherCheckouts({ answers, settings, locale, onShow }: OtherCheckoutsProps) {
  const id = useId();
  if (answers.length === 0) return null;
  const messages = { ...statusEnglish, ...settings.messages };
  return (
    <div className="ramp-status-others">
      <p id={id} className="ramp-status-order">
        {messages.otherOrders}
      </p>
      <ul aria-labelledby={id}>
        {answers.map((answer) => {
          const found = { answer, status: 'known', error: undefined, retry() {} } as const;
          const view = statusView(found, messages, locale || settings.language);
          const [title] = statusWords(view);
          const { currencyAmount, fiatCurrency } = answer.orders[0] ?? {};
          const amount =
            currencyAmount && fiatCurrency && view.formats.money(currencyAmount, fiatCurrency);
          const lineId = `${id}-${answer.reference}`;
          return (
            <li key={answer.reference}>
              <span id={lineId}>
                {title} {amount && <bdi>{amount}</bdi>}
              </span>
              <button
                type="button"
                className="ramp-status-retry"
                aria-describedby={lineId}
                onClick={({ currentTarget }) => {
                  focusCard(currentTarget);
                  onShow(answer.reference);
                }}
              >
                {messages.showOrder}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
