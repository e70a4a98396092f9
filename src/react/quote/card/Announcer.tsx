import { useEffect, useState } from 'react';
import { fillText } from '../../../protocol/fillText.js';
import { getCurrencySymbol } from './currencyOptions.js';
import { describeQuoteStatus } from './describeQuoteStatus.js';
import { getLimitText } from './LimitMessage.js';
import type { QuoteCardView } from './QuoteCardView.js';

const DEBOUNCE_MS = 600;
const CLEAR_MS = 5000;

/**
 * Announces the result to screen readers once typing has paused. Automatic refreshes of the price are not
 * announced.
 */
export function Announcer({ view }: { view: QuoteCardView }) {
  const { status, selection } = view;
  const about = JSON.stringify([status, view.limit ?? selection]);
  const [announced, setTold] = useState({ about: '', text: '' });
  const isPending = status === 'loading' || status === 'refreshing' || about === announced.about;
  const text = isPending ? announced.text : getAnnouncement(view);
  useEffect(() => {
    if (isPending) return;
    const timer = setTimeout(() => setTold({ about, text }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [isPending, about, text]);
  // Clear the text: a screen reader user who finds it later would read an outdated price.
  useEffect(() => {
    if (!announced.text) return;
    const timer = setTimeout(() => setTold(({ about }) => ({ about, text: '' })), CLEAR_MS);
    return () => clearTimeout(timer);
  }, [announced.text]);
  return (
    <p role="status" className="ramp-visually-hidden">
      {announced.text}
    </p>
  );
}

function getAnnouncement(view: QuoteCardView): string {
  const { status, quote, limit, nft, messages, formats, selection } = view;
  if (limit && selection)
    return fillText(getLimitText(view), { amount: formats.coin(limit, selection.fiatCurrency) });
  if (status !== 'quote' || !quote) return describeQuoteStatus(view);
  return nft
    ? `${messages.youPay}: ${formats.money(quote.currencyAmount, quote.fiatCurrency)}`
    : `${messages.youGet}: ${formats.coin(quote.cryptoCurrencyAmount, getCurrencySymbol(quote))}`;
}
