import { type CSSProperties, useMemo, useState } from 'react';
import { focusCard } from '../../../client/focusCard.js';
import {
  getCurrencySymbol,
  toCryptoOption,
  toFiatOption,
} from '../../../client/quote/currencyOptions.js';
import type { QuoteForm } from '../../../client/quote/QuoteForm.js';
import { getLimitText, type QuoteTexts } from '../../../client/quote/quoteTexts.js';
import { fillText } from '../../../protocol/fillText.js';
import { CurrencyPill } from './CurrencyPill.js';
import { PresetAmounts } from './PresetAmounts.js';
import type { TypedAmount } from './useTypedAmount.js';

interface QuoteRowsProps {
  readonly form: QuoteForm;
  readonly texts: QuoteTexts;
  readonly typed: TypedAmount;
  /** Whether the amount is the price of an NFT in cryptocurrency. */
  readonly isNft: boolean;
  readonly hasPresets: boolean;
  readonly id: string;
}

/** The two rows of the card, with the unit price between them. */
export function QuoteRows({ form, texts, typed, isNft, hasPresets, id }: QuoteRowsProps) {
  const { data: quote, status, nextQuoteAt, refreshSeconds } = form;
  const { messages, formats } = texts;
  const [fiat, crypto] = usePills(form, texts);
  const limitId = form.limit === undefined ? undefined : `${id}note`;
  const refusalId = typed.refusal && `${id}refusal`;
  const fieldId = `${id}amount`;
  const figure =
    quote &&
    (isNft
      ? formats.fiat(quote.currencyAmount, quote.fiatCurrency)
      : formats.estimate(quote.cryptoCurrencyAmount, getCurrencySymbol(quote)));
  const price = quote?.cryptoCurrencyUnitPrice;
  return (
    <>
      <div className="ramp-quote-row">
        <div className="ramp-quote-figure">
          <label className="ramp-quote-label" htmlFor={fieldId}>
            {isNft ? messages.nftPrice : messages.youPay}
          </label>
          <AmountField
            texts={texts}
            typed={typed}
            id={fieldId}
            describedBy={limitId ?? refusalId}
          />
        </div>
        {isNft ? crypto : fiat}
      </div>
      {hasPresets && !isNft && <PresetAmounts form={form} texts={texts} />}
      <div className="ramp-quote-divider">
        {limitId ? (
          <LimitMessage form={form} texts={texts} id={limitId} />
        ) : typed.refusal ? (
          <p id={refusalId} className="ramp-quote-limit">
            {typed.refusal}
          </p>
        ) : (
          quote &&
          price != null && (
            <bdi>
              {fillText(messages.unitPrice, {
                coin: getCurrencySymbol(quote),
                amount: formats.unitPrice(price, quote.fiatCurrency),
              })}
            </bdi>
          )
        )}
        {quote && refreshSeconds > 0 && (
          <RefreshRing key={nextQuoteAt} endsAt={nextQuoteAt} seconds={refreshSeconds} />
        )}
      </div>
      <div className="ramp-quote-row">
        <div className="ramp-quote-figure">
          <span className="ramp-quote-label">{isNft ? messages.youPay : messages.youGet}</span>
          <span className="ramp-quote-amount ramp-quote-result" data-size={classifyWidth(figure)}>
            {figure ? (
              <Estimate figure={figure} />
            ) : status === 'loading' ? (
              <Loading text={messages.priceLoading} />
            ) : (
              '–'
            )}
          </span>
        </div>
        {isNft ? fiat : crypto}
      </div>
    </>
  );
}

/**
 * Returns the pills of the two currencies. They are the same elements until a currency changes, so React skips them.
 */
function usePills(form: QuoteForm, { messages, formats }: QuoteTexts) {
  const { fiat, fiatCurrencies, crypto, cryptoCurrencies, change } = form;
  const fiatPill = useMemo(
    () => (
      <CurrencyPill
        chosen={fiat && toFiatOption(fiat, formats)}
        options={() => fiatCurrencies.map((currency) => toFiatOption(currency, formats))}
        messages={messages}
        onChoose={(fiatCurrency) => change({ fiatCurrency })}
      />
    ),
    [fiat, fiatCurrencies, messages, formats, change],
  );
  const cryptoPill = useMemo(
    () => (
      <CurrencyPill
        chosen={crypto && toCryptoOption(crypto)}
        options={() => cryptoCurrencies.map(toCryptoOption)}
        messages={messages}
        onChoose={(cryptoCurrencyCode) => change({ cryptoCurrencyCode })}
      />
    ),
    [crypto, cryptoCurrencies, messages, change],
  );
  return [fiatPill, cryptoPill];
}

/**
 * An amount that may change until the payment. The number of its characters goes to the stylesheet, which keeps the
 * amount on one line.
 */
const Estimate = ({ figure }: { figure: string }) => (
  <span style={{ '--_length': figure.length + 2 } as CSSProperties}>
    <span className="ramp-quote-about">≈</span>
    <span>{`\u00a0${figure}`}</span>
  </span>
);

const Loading = ({ text }: { text: string }) => (
  <>
    <span className="ramp-quote-placeholder" />
    <span className="ramp-visually-hidden">{text}</span>
  </>
);

interface AmountFieldProps {
  readonly texts: QuoteTexts;
  readonly typed: TypedAmount;
  readonly id: string;
  /** The id of the message about the limit, or about typed text that is not an amount. */
  readonly describedBy: string | undefined;
}

/** The field for the amount. It shows the amount in the format of the locale, and reports a plain decimal. */
function AmountField({ texts, typed, id, describedBy }: AmountFieldProps) {
  return (
    <input
      id={id}
      className="ramp-quote-amount"
      inputMode="decimal"
      autoComplete="off"
      placeholder={texts.formats.number('0')}
      aria-invalid={describedBy !== undefined}
      aria-describedby={describedBy}
      data-size={classifyWidth(typed.text)}
      value={typed.text}
      onKeyDown={(event) => {
        // The Enter key must not submit a form around the card.
        if (event.key === 'Enter') event.preventDefault();
      }}
      onBlur={typed.leave}
      onChange={({ target, nativeEvent }) => {
        const pasted = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste';
        typed.enter(target.value, pasted);
      }}
    />
  );
}

/** Classifies the width of an amount: `long` needs a separate row in a narrow card, `very-long` in any card. */
const classifyWidth = (figure = ''): 'long' | 'very-long' | undefined =>
  figure.length > 11 ? 'very-long' : figure.length > 7 ? 'long' : undefined;

/** Shows the limit that the amount violates. Pressing the limit enters it as the amount. */
function LimitMessage({ form, texts, id }: { form: QuoteForm; texts: QuoteTexts; id: string }) {
  const { status, limit = '', selection, change } = form;
  // Split the text at the amount's placeholder, where the button goes.
  const [before, after] = fillText(getLimitText(status, texts), { amount: '\n' }).split('\n');
  return (
    <p id={id} className="ramp-quote-limit">
      <span>{before}</span>
      <button
        type="button"
        aria-describedby={id}
        onClick={({ currentTarget }) => {
          focusCard(currentTarget);
          change({ amount: limit });
        }}
      >
        <bdi>{texts.formats.coin(limit, selection?.fiatCurrency ?? '')}</bdi>
      </button>
      <span>{after}</span>
    </p>
  );
}

const ring = { cx: 10, cy: 10, r: 8, fill: 'none', stroke: 'currentColor', strokeWidth: 2 };

interface RefreshRingProps {
  /** When the countdown ends, in Unix seconds. If `undefined`, the countdown is shown as ended. */
  readonly endsAt: number | undefined;
  readonly seconds: number;
}

/** A countdown to the next quote, animated with CSS only. Pass `endsAt` as `key` to restart it. */
function RefreshRing({ endsAt, seconds }: RefreshRingProps) {
  // The delay is negative, so that the animation starts at the part of the interval that has passed. It is computed
  // only once, because a different delay would restart the animation on each render.
  const [style] = useState(() => {
    if (endsAt === undefined) return undefined;
    const delay = endsAt - seconds - Date.now() / 1000;
    return { animationDuration: `${seconds}s`, animationDelay: `${delay}s` };
  });
  return (
    <svg className="ramp-quote-ring" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <circle {...ring} opacity="0.25" />
      <circle {...ring} pathLength="1" strokeDasharray="1" strokeLinecap="round" style={style} />
    </svg>
  );
}
