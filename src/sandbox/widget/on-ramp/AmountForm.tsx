import { type FormEvent, useId, useRef, useState } from 'react';
import type { OnRampPageData } from '../../checkout/pageData.js';
import { CurrencySelect } from '../fields/CurrencySelect.js';
import { FiatSelect } from '../fields/FiatSelect.js';
import { useLocale } from '../locale/Locale.js';
import { Title } from '../page/Title.js';
import { Fees } from '../price/Fees.js';
import { PriceProblem } from '../price/PriceProblem.js';
import { Rate } from '../price/Rate.js';
import type { LiveQuote } from '../price/useLiveQuote.js';
import { AmountRow } from './AmountRow.js';
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
    else if (!problem && !price.problem) onDone();
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
          <output className="amount" aria-labelledby={`${id}-get`} data-stale={!price.current}>
            {quote && crypto ? formats.number(quote.cryptoCurrencyAmount, crypto.digits) : '–'}
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
            onChange={purchase.setCrypto}
          />
        </div>
      </div>
      {problem && (
        <p className="error" role="alert" id={`${id}-crypto`}>
          {problem}
        </p>
      )}
      <Fees quote={quote} digits={fiat?.digits ?? 2} />
      <PriceProblem price={price} />
      <button type="submit" className="primary">
        {t('continue')}
      </button>
    </form>
  );
}
