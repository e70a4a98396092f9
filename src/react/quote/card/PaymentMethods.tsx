import { memo } from 'react';
import type { AmountFormats } from '../../../client/format/createAmountFormats.js';
import { formatName } from '../../../client/format/formatName.js';
import type { QuoteForm } from '../../../client/quote/QuoteForm.js';
import type { QuoteTexts } from '../../../client/quote/quoteTexts.js';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import type { PaymentOption } from '../../../protocol/api/resources.js';
import { fillText } from '../../../protocol/fillText.js';
import { Picture } from './Picture.js';

interface PaymentMethodsProps extends Pick<QuoteForm, 'fiat' | 'method' | 'change'> {
  readonly texts: QuoteTexts;
  /** The `name` that the radio buttons share. */
  readonly name: string;
}

/** The payment methods of the fiat currency, as a group of radio cards. */
export const PaymentMethods = memo(function PaymentMethods(props: PaymentMethodsProps) {
  const { fiat, method, change, texts, name } = props;
  const { messages, formats } = texts;
  if (!fiat)
    return <div className="ramp-quote-methods ramp-quote-placeholder" aria-hidden="true" />;
  if (fiat.paymentOptions.length === 0) return null;
  return (
    <fieldset className="ramp-quote-methods">
      <legend>{messages.paymentMethod}</legend>
      {fiat.paymentOptions.map((option) => (
        <label key={option.name} className="ramp-quote-method">
          <input
            type="radio"
            name={name}
            checked={option === method}
            onChange={() => change({ payment: option.name })}
          />
          <Picture src={option.icon}>
            <span className="ramp-quote-card" />
          </Picture>
          <span>{formatMethodName(option.name, messages)}</span>
          <small className="ramp-quote-muted">
            {formatDetails(option, fiat.fiatCurrency, messages, formats).map(
              (detail, index, all) => (
                <span key={detail}>
                  <bdi>{detail}</bdi>
                  {/* Put the dot at the end of a line that wraps, not at the start of the next line. */}
                  {index < all.length - 1 && <span>{' · '}</span>}
                </span>
              ),
            )}
          </small>
        </label>
      ))}
    </fieldset>
  );
});

/** Formats the name of a payment method. An unknown `GIFT_CARD` becomes `Gift card`. */
export function formatMethodName(name: string, messages: QuoteMessages): string {
  const known: Readonly<Record<string, string>> = {
    CREDIT_DEBIT_CARD: messages.creditDebitCard,
    CARD_PAYMENT: messages.cardPayment,
    BANK_CARD_TRANSFER: messages.bankCardTransfer,
  };
  return known[name] ?? formatName(name);
}

/** Formats the processing time and the limits, if they are known. */
function formatDetails(
  { processingTime, minAmount, maxAmount }: PaymentOption,
  currency: string,
  messages: QuoteMessages,
  formats: AmountFormats,
): string[] {
  const { text, minMinutes, maxMinutes } = processingTime ?? {};
  const formatMinutes = (count: number) => formats.number(`${count}`);
  const time =
    minMinutes != null && maxMinutes != null
      ? fillText(messages.processingMinutes, {
          min: formatMinutes(minMinutes),
          max: formatMinutes(maxMinutes),
        })
      : text;
  const limits = minAmount
    ? maxAmount
      ? fillText(messages.limits, {
          min: formats.number(minAmount),
          max: formats.coin(maxAmount, currency),
        })
      : fillText(messages.limitFrom, { amount: formats.coin(minAmount, currency) })
    : maxAmount && fillText(messages.limitTo, { amount: formats.coin(maxAmount, currency) });
  return [time, limits].filter(Boolean) as string[];
}
