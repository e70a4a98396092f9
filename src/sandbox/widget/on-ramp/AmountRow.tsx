import { type ReactNode, type Ref, useId, useState } from 'react';
import type { OnRampPageData } from '../../checkout/pageData.js';
import { useLocale } from '../locale/Locale.js';
import type { PurchaseDraft } from './usePurchase.js';

interface AmountRowProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  /** Whether the form was submitted. From then on an empty amount is an error. */
  readonly checked: boolean;
  readonly errorId: string;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly children: ReactNode;
}

/** Renders "You pay": the amount, its currency, and their errors below. */
export function AmountRow({
  session,
  purchase,
  checked,
  errorId,
  inputRef,
  children,
}: AmountRowProps) {
  const { t, formats } = useLocale();
  const [left, setLeft] = useState(session.amount !== undefined);
  const id = useId();
  const { fiat, amountIssueKey } = purchase;
  // No error while the shopper is typing: "1" may become "100".
  const fault =
    checked || (left && amountIssueKey !== 'amountMissing') ? amountIssueKey : undefined;
  const error =
    fault &&
    fiat &&
    t(fault, {
      amount: formats.money(
        fiat.paymentOptions[0][fault === 'belowMinimum' ? 'min' : 'max'],
        fiat.code,
        fiat.digits,
      ),
      example: formats.number(fiat.digits ? '99.50' : '100', fiat.digits),
    });
  const described = [session.amountFixed && `${id}-fixed`, error && errorId].filter(Boolean);
  return (
    <div className="row" data-invalid={error ? true : undefined}>
      <label className="row-label" htmlFor={id}>
        {t('youPay')}
      </label>
      <input
        ref={inputRef}
        id={id}
        className="amount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        readOnly={session.amountFixed}
        value={purchase.amountText}
        maxLength={20}
        onChange={(event) => purchase.setAmountText(event.target.value)}
        onBlur={() => setLeft(true)}
        aria-invalid={error ? true : undefined}
        aria-describedby={described.join(' ') || undefined}
      />
      {children}
      {session.amountFixed && (
        <p className="hint" id={`${id}-fixed`}>
          {t('amountFixed')}
        </p>
      )}
      {error && (
        <p className="error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}
