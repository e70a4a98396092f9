import { type FormEvent, useEffect, useId, useState } from 'react';
import { countFractionDigits } from '../../../protocol/decimal/parseDecimal.js';
import type { NftPageData } from '../../checkout/pageData.js';
import { CurrencyBadge } from '../fields/CurrencyBadge.js';
import { FiatSelect } from '../fields/FiatSelect.js';
import { useLocale } from '../locale/Locale.js';
import { Title } from '../page/Title.js';
import { Fees } from '../price/Fees.js';
import { PriceProblem } from '../price/PriceProblem.js';
import { Rate } from '../price/Rate.js';
import type { LiveQuote } from '../price/useLiveQuote.js';
import { NftItem } from './NftItem.js';
import { findLimitIssue, type NftPurchaseDraft } from './useNftPurchase.js';

interface NftFormProps {
  readonly session: NftPageData;
  readonly purchase: NftPurchaseDraft;
  readonly price: LiveQuote;
  readonly takesFocus: boolean;
  readonly onDone: () => void;
}

/** Renders the first screen: the NFT, its recipient and its price. */
export function NftForm({ session, purchase, price, takesFocus, onDone }: NftFormProps) {
  const words = useLocale();
  const { t, formats } = words;
  const { crypto } = session;
  const { fiat } = purchase;
  const { quote, current } = price;
  const [wanted, setWanted] = useState(false);
  const id = useId();
  const fault = findLimitIssue(words, fiat, price);
  const figure = formats.number(session.price, countFractionDigits(session.price));

  // Continues when the first price arrives, if the shopper pressed the button before.
  useEffect(() => {
    if (!wanted || !(current || price.problem)) return;
    setWanted(false);
    if (current && !fault) onDone();
  }, [wanted, current, price.problem, fault, onDone]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWanted(true);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Title takesFocus={takesFocus}>{t('buyNft')}</Title>
      <NftItem nft={session.nft} />
      <div className="panel">
        <div className="row">
          <span className="row-label">{t('price')}</span>
          <span className="amount" data-length={figure.length > 10 ? 'long' : 'short'}>
            {figure}
          </span>
          <CurrencyBadge code={crypto.symbol} caption={crypto.networkName} />
        </div>
        <Rate quote={quote} />
        <div className="row">
          <span className="row-label" id={`${id}-pay`}>
            {t('youPay')}
          </span>
          <output className="amount" aria-labelledby={`${id}-pay`} data-stale={!current}>
            {quote && fiat ? formats.number(quote.currencyAmount, fiat.digits) : '–'}
          </output>
          <FiatSelect
            fiats={session.fiats}
            fiat={fiat}
            describedBy={fault && `${id}-fault`}
            onChange={purchase.setFiat}
          />
        </div>
      </div>
      {fault && (
        <p className="error" role="alert" id={`${id}-fault`}>
          {fault}
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
