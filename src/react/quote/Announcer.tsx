import { useEffect, useState } from 'react';
import { symbolOf } from './currencyOptions.js';
import { fillText } from './fillText.js';
import { limitText } from './LimitSentence.js';
import type { QuoteCardView } from './QuoteCardView.js';
import { statusText } from './statusText.js';

const PAUSE_MS = 600;
const FORGET_MS = 5000;

/**
 * Tells a screen reader what came out, once typing has paused. Prices that come in by themselves
 * are not told: only an answer to something new is.
 */
export function Announcer({ view }: { view: QuoteCardView }) {
  const { status, selection } = view;
  const about = JSON.stringify([status, view.limit ?? selection]);
  const [told, setTold] = useState({ about: '', text: '' });
  const waits = status === 'loading' || status === 'refreshing' || about === told.about;
  const text = waits ? told.text : spoken(view);
  useEffect(() => {
    if (waits) return;
    const timer = setTimeout(() => setTold({ about, text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [waits, about, text]);
  // What was said does not stay: read later, it would be the price of then.
  useEffect(() => {
    if (!told.text) return;
    const timer = setTimeout(() => setTold(({ about }) => ({ about, text: '' })), FORGET_MS);
    return () => clearTimeout(timer);
  }, [told.text]);
  return (
    <p role="status" className="ramp-quote-hidden">
      {told.text}
    </p>
  );
}

function spoken(view: QuoteCardView): string {
  const { status, quote, limit, nft, messages, formats, selection } = view;
  if (limit && selection)
    return fillText(limitText(view), { amount: formats.coin(limit, selection.fiatCurrency) });
  if (status !== 'quote' || !quote) return statusText(view);
  return nft
    ? `${messages.youPay}: ${formats.money(quote.currencyAmount, quote.fiatCurrency)}`
    : `${messages.youGet}: ${formats.coin(quote.cryptoCurrencyAmount, symbolOf(quote))}`;
}
