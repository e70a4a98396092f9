import { useId } from 'react';
import { statusEnglish } from '../../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import { focusCard } from '../../card/focusCard.js';
import type { RampSettings } from '../../provider/RampProvider.js';
import { createStatusView } from './createStatusView.js';
import { describeStatus } from './describeStatus.js';

interface OtherCheckoutsProps {
  readonly checkouts: readonly CheckoutResponse[];
  readonly settings: Pick<RampSettings, 'messages' | 'language'>;
  readonly locale: string | undefined;
  readonly onShow: (reference: string) => void;
}

/** The shopper's other checkouts, one line each: the state, the amount if it is known, and a button. */
export function OtherCheckouts({ checkouts, settings, locale, onShow }: OtherCheckoutsProps) {
  const id = useId();
  if (checkouts.length === 0) return null;
  const messages = { ...statusEnglish, ...settings.messages };
  return (
    <div className="ramp-status-others">
      <p id={id} className="ramp-status-order">
        {messages.otherOrders}
      </p>
      <ul aria-labelledby={id}>
        {checkouts.map((checkout) => {
          const view = createStatusView({ checkout }, messages, locale || settings.language);
          const [title] = describeStatus(view);
          const { currencyAmount, fiatCurrency } = checkout.orders[0] ?? {};
          const amount =
            currencyAmount && fiatCurrency && view.formats.money(currencyAmount, fiatCurrency);
          const lineId = `${id}-${checkout.reference}`;
          return (
            <li key={checkout.reference}>
              <span id={lineId}>
                {title} {amount && <bdi>{amount}</bdi>}
              </span>
              <button
                type="button"
                className="ramp-status-retry"
                aria-describedby={lineId}
                onClick={({ currentTarget }) => {
                  focusCard(currentTarget);
                  onShow(checkout.reference);
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
