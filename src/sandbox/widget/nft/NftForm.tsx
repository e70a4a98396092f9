import { type FormEvent, useEffect, useId, useState } from 'react';
import { countFractionDigits } from '../../../protocol/decimals.js';
import type { NftPageData } from '../../checkout/pageData.js';
import { CurrencyBadge, FiatSelect } from '../currencyFields.js';
import { useCurrencyFault } from '../fields.js';
import { useLocale } from '../locale.js';
import { CopyText } from '../order.js';
import { Fees, type LiveQuote, PriceProblem, Rate } from '../price.js';
import { Title } from '../WidgetPage.js';
import { NftPicture } from './NftPicture.js';
import { createNftTexts } from './nftTexts.js';
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
  const locale = useLocale();
  const { t, formats } = locale;
  const { crypto } = session;
  const { fiat } = purchase;
  const { quote, current } = price;
  const [wanted, setWanted] = useState(false);
  const id = useId();
  const { select, errorKey, showFault } = useCurrencyFault();
  const fault = findLimitIssue(locale, fiat, price);
  const figure = formats.number(session.price, countFractionDigits(session.price));

  // If the shopper pressed the button before the first price arrived, continue when it arrives.
  useEffect(() => {
    if (!wanted || !(current || price.problem)) return;
    setWanted(false);
    if (current && !fault) onDone();
  }, [wanted, current, price.problem, fault, onDone]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault) return showFault();
    if (price.problem) price.retry();
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
          <output
            className="amount"
            aria-labelledby={`${id}-pay`}
            aria-live={price.live}
            data-stale={!current}
          >
            {quote && fiat ? formats.number(quote.currencyAmount, fiat.digits) : '–'}
          </output>
          <FiatSelect
            fiats={session.fiats}
            fiat={fiat}
            describedBy={fault && `${id}-fault`}
            selectRef={select}
            onChange={purchase.setFiat}
          />
        </div>
      </div>
      {fault && (
        <p key={errorKey} className="error" role="alert" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      <Fees quote={quote} digits={fiat?.digits ?? 2} />
      <PriceProblem price={price} />
      <button
        type="submit"
        className="primary"
        aria-describedby={fault ? `${id}-fault` : undefined}
      >
        {t('continue')}
      </button>
    </form>
  );
}

function NftItem({ nft }: { nft: NftPageData['nft'] }) {
  const locale = useLocale();
  const { name, chain, parties } = createNftTexts(locale, nft);
  return (
    <>
      <div className="nft">
        <NftPicture nft={nft} />
        <div className="nft-details">
          <p className="nft-name">
            <bdi>{name}</bdi>
          </p>
          <p className="hint">{chain}</p>
          <p className="nft-contract hint">
            {locale.t('contract')}{' '}
            <CopyText text={nft.contractAddress} label={locale.t('copyContract')} />
          </p>
        </div>
      </div>
      <div className="nft-delivery hint">
        {parties.map(({ role, sentence }) => (
          <p key={role}>{sentence}</p>
        ))}
      </div>
    </>
  );
}
