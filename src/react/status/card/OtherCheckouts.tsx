import { useId } from 'react';
import { completeMessages } from '../../../client/completeMessages.js';
import { focusCard } from '../../../client/focusCard.js';
import { createStatusView, describeStatus } from '../../../client/status/statusView.js';
import { statusEnglish } from '../../../messages/StatusMessages.js';
import type { CheckoutResponse } from '../../../protocol/handler/CheckoutResponse.js';
import type { RampSettings } from '../../provider/RampProvider.js';

interface OtherCheckoutsProps {
  readonly checkouts: readonly CheckoutResponse[];
  readonly settings: Pick<RampSettings, 'messages' | 'language'>;
  readonly locale: string | undefined;
  readonly onChoose: (reference: string) => void;
}

/**
 * The other checkouts of a card without a reference. Each line shows the state, a button, and the amount and time if
 * known.
 */
export function OtherCheckouts({ checkouts, settings, locale, onChoose }: OtherCheckoutsProps) {
  const id = useId();
  const messages = completeMessages(statusEnglish, settings.messages);
  return (
    <div className="ramp-status-others">
      <p id={id} className="ramp-status-order">
        {messages.otherOrders}
      </p>
      <ul aria-labelledby={id}>
        {checkouts.map((checkout) => {
          const view = createStatusView({ data: checkout }, messages, locale || settings.language);
          const [title] = describeStatus(view);
          const { currencyAmount, fiatCurrency, payTime, finishTime } = checkout.orders[0] ?? {};
          const amount =
            currencyAmount && fiatCurrency && view.formats.money(currencyAmount, fiatCurrency);
          const at = view.time(payTime ?? finishTime);
          const lineId = `${id}-${checkout.reference}`;
          return (
            <li key={checkout.reference}>
              <span id={lineId}>
                <span>{`${title} `}</span>
                {amount && <bdi>{`${amount} `}</bdi>}
                {at && <time dateTime={at.iso}>{at.text}</time>}
              </span>
              <button
                type="button"
                className="ramp-status-retry"
                aria-describedby={lineId}
                onClick={({ currentTarget }) => {
                  focusCard(currentTarget);
                  onChoose(checkout.reference);
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
