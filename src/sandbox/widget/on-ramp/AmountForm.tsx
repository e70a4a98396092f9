import { type FormEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import type { OnRampPageData } from '../../checkout/pageData.js';
import { CurrencySelect, FiatSelect } from '../currencyFields.js';
import { useCurrencyFault } from '../fields.js';
import { useLocale } from '../locale.js';
import { Fees, type LiveQuote, PriceProblem, Rate } from '../price.js';
import { Title } from '../WidgetPage.js';
import type { PurchaseDraft } from './usePurchase.js';

interface AmountFormProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  readonly price: LiveQuote;
  readonly takesFocus: boolean;
  readonly onDone: () => void;
}

/** Renders the first screen: both amounts, their currencies and the fees. */
export function AmountForm({ session, purchase, price, takesFocus, onDone }: AmountFormProps) {
  const { t, formats } = useLocale();
  const { fiat, crypto } = purchase;
  const [checked, setChecked] = useState(false);
  const amount = useRef<HTMLInputElement>(null);
  const { select, errorKey, showFault } = useCurrencyFault();
  const id = useId();
  const { quote } = price;
  const problem =
    crypto && fiat && purchase.pairUnavailable
      ? t('pairUnavailable', { symbol: crypto.symbol, currency: fiat.code })
      : crypto && purchase.walletWrongNetwork
        ? t('walletWrongNetwork', { network: crypto.networkName })
        : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (purchase.amountIssueKey) amount.current?.focus();
    else if (problem) showFault();
    else if (price.problem) price.retry();
    else onDone();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Title takesFocus={takesFocus}>{t('buy')}</Title>
      <div className="panel">
        <AmountRow
          session={session}
          purchase={purchase}
          checked={checked}
          inputRef={amount}
          errorId={`${id}-amount`}
        >
          <FiatSelect fiats={session.fiats} fiat={fiat} onChange={purchase.setFiat} />
        </AmountRow>
        <Rate quote={quote} />
        <div className="row">
          <span className="row-label" id={`${id}-get`}>
            {t('youGet')}
          </span>
          <output
            className="amount"
            aria-labelledby={`${id}-get`}
            aria-live={price.live}
            data-stale={!price.current}
          >
            {quote && crypto ? formats.estimate(quote.cryptoCurrencyAmount, crypto.symbol) : '–'}
          </output>
          <CurrencySelect
            label={t('receiveCurrency')}
            choices={session.cryptos.map(({ code, symbol, networkName }) => ({
              code,
              symbol,
              caption: networkName,
              name: t('symbolOnNetwork', { symbol, network: networkName }),
            }))}
            value={crypto?.code}
            describedBy={problem && `${id}-crypto`}
            selectRef={select}
            onChange={purchase.setCrypto}
          />
        </div>
      </div>
      {problem && (
        <p key={errorKey} className="error" role="alert" id={`${id}-crypto`}>
          {problem}
        </p>
      )}
      <Fees quote={quote} digits={fiat?.digits ?? 2} />
      <PriceProblem price={price} />
      <button
        type="submit"
        className="primary"
        aria-describedby={problem ? `${id}-crypto` : undefined}
      >
        {t('continue')}
      </button>
    </form>
  );
}

interface AmountRowProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  /** Whether the shopper has submitted the form. After that, an empty amount is an error. */
  readonly checked: boolean;
  readonly errorId: string;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly children: ReactNode;
}

/** Renders the row "You pay": the amount and its currency, with errors below. */
function AmountRow({ session, purchase, checked, errorId, inputRef, children }: AmountRowProps) {
  const { t, formats } = useLocale();
  const [left, setLeft] = useState(session.amount !== undefined);
  const id = useId();
  const { fiat, amountIssueKey } = purchase;
  // Show no error while the shopper is typing: "1" may become "100".
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
