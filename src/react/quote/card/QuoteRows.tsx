import { fillText } from '../../../protocol/fillText.js';
import { AmountField } from './AmountField.js';
import { amountSize } from './amountSize.js';
import { CurrencyPill } from './CurrencyPill.js';
import { getCurrencySymbol, toCryptoOption, toFiatOption } from './currencyOptions.js';
import { LimitMessage } from './LimitMessage.js';
import type { QuoteCardView } from './QuoteCardView.js';
import { RefreshRing } from './RefreshRing.js';

/** The two rows of the card, with the unit price between them. */
export function QuoteRows({ view, id }: { view: QuoteCardView; id: string }) {
  const { nft, messages, formats, offer, choice, quote, status, timing, change } = view;
  const fiat = (
    <CurrencyPill
      chosen={choice && toFiatOption(choice.fiat, formats)}
      options={() => offer.fiats.map((currency) => toFiatOption(currency, formats))}
      messages={messages}
      onChoose={(fiatCurrency) => change({ fiatCurrency })}
    />
  );
  const crypto = (
    <CurrencyPill
      chosen={choice && toCryptoOption(choice.crypto)}
      options={() => offer.cryptos.map(toCryptoOption)}
      messages={messages}
      onChoose={(cryptoCurrencyCode) => change({ cryptoCurrencyCode })}
    />
  );
  const limitId = view.limit === undefined ? undefined : `${id}limit`;
  const figure =
    quote &&
    (nft
      ? formats.fiat(quote.currencyAmount, quote.fiatCurrency)
      : formats.number(quote.cryptoCurrencyAmount));
  const price = quote?.cryptoCurrencyUnitPrice;
  return (
    <>
      <div className="ramp-quote-row">
        <label className="ramp-quote-label" htmlFor={id}>
          {nft ? messages.nftPrice : messages.youPay}
        </label>
        <AmountField view={view} id={id} describedBy={limitId} />
        {nft ? crypto : fiat}
      </div>
      <div className="ramp-quote-divider">
        {limitId ? (
          <LimitMessage view={view} id={limitId} />
        ) : (
          quote &&
          price != null && (
            <bdi>
              {fillText(messages.unitPrice, {
                coin: getCurrencySymbol(quote),
                amount: formats.coin(price, quote.fiatCurrency),
              })}
            </bdi>
          )
        )}
        {quote && timing.refreshSeconds > 0 && (
          <RefreshRing
            key={timing.nextQuoteAt}
            endsAt={timing.nextQuoteAt}
            seconds={timing.refreshSeconds}
          />
        )}
      </div>
      <div className="ramp-quote-row">
        <span className="ramp-quote-label">{nft ? messages.youPay : messages.youGet}</span>
        <span className="ramp-quote-amount ramp-quote-result" data-size={amountSize(figure)}>
          {figure ?? (status === 'loading' ? <Loading text={messages.priceLoading} /> : '–')}
        </span>
        {nft ? fiat : crypto}
      </div>
    </>
  );
}

const Loading = ({ text }: { text: string }) => (
  <>
    <span className="ramp-quote-placeholder" />
    <span className="ramp-visually-hidden">{text}</span>
  </>
);
