// The content of the price card is one chunk, which loads together with react-query.
import { memo, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { focusCard } from '../../../client/focusCard.js';
import { getCurrencySymbol } from '../../../client/quote/currencyOptions.js';
import type { QuoteForm } from '../../../client/quote/QuoteForm.js';
import {
  createQuoteTexts,
  describeQuoteStatus,
  formatBought,
  getLimitText,
  type QuoteTexts,
} from '../../../client/quote/quoteTexts.js';
import type { Quote } from '../../../protocol/api/resources.js';
import { fillText } from '../../../protocol/fillText.js';
import { useRampSettings } from '../../provider/RampProvider.js';
import type { ReactQuery } from '../hooks/useBackendQuery.js';
import { useQuoteForm } from '../hooks/useQuoteForm.js';
import type { QuotePreviewProps } from '../previewProps.js';
import { type BindSelection, bindSelection } from './bindSelection.js';
import { formatMethodName, PaymentMethods } from './PaymentMethods.js';
import { QuoteRows } from './QuoteRows.js';
import { useTypedAmount } from './useTypedAmount.js';

export { toLibraryError } from './toLibraryError.js';

const DEBOUNCE_MS = 600;
const CLEAR_MS = 5000;

/** What the content tells the card around it, which renders the root element and the page's own nodes. */
export interface QuoteCardReport {
  readonly form: QuoteForm;
  readonly bind: BindSelection;
}

/** The props of the card, and what else its content needs. */
export interface QuoteCardProps extends QuotePreviewProps {
  readonly reactQuery: ReactQuery & CardLibrary;
  /** The prefix of each ID in the card. */
  readonly cardId: string;
  readonly onReport: (report: QuoteCardReport) => void;
}

type CardLibrary = Pick<
  typeof import('@tanstack/react-query'),
  'QueryClient' | 'QueryClientContext' | 'QueryClientProvider'
>;

let ownClient: InstanceType<CardLibrary['QueryClient']> | undefined;

/**
 * The content of the price card. It uses the page's QueryClient, or else one that all cards of the page share.
 *
 * A report rerenders the card but not the content, because the content's props stay the same.
 */
export const QuoteCard = memo(function QuoteCard(props: QuoteCardProps) {
  const { QueryClient, QueryClientContext, QueryClientProvider } = props.reactQuery;
  if (useContext(QueryClientContext)) return <QuoteContent {...props} />;
  ownClient ??= new QueryClient();
  return (
    <QueryClientProvider client={ownClient}>
      <QuoteContent {...props} />
    </QueryClientProvider>
  );
});

function QuoteContent({ reactQuery, cardId, onReport, ...card }: QuoteCardProps) {
  const { messages, language } = useRampSettings({
    messages: card.messages,
    language: card.language,
  });
  const form = useQuoteForm(reactQuery, card);
  const locale = card.locale || language || document.documentElement.lang || navigator.language;
  const texts = useMemo(() => createQuoteTexts(messages, locale), [messages, locale]);
  const noteId = `${cardId}note`;
  useLayoutEffect(() => onReport({ form, bind: bindSelection(form, card, texts, noteId) }));
  const { status, error, fiat } = form;
  const isNft = card.buyType === 'nft';
  const typed = useTypedAmount(form, texts, isNft ? 18 : 2);
  const note = describeQuoteStatus(form, texts);
  // Keep the amount field mounted while the lists of currencies may still load.
  const hasRows = fiat !== undefined || status === 'loading' || status === 'offline';
  return (
    <>
      {hasRows && (
        <QuoteRows
          form={form}
          texts={texts}
          typed={typed}
          isNft={isNft}
          hasPresets={card.presetAmounts !== undefined}
          id={cardId}
        />
      )}
      {note && (
        <p id={noteId} className="ramp-quote-note">
          <span>{`${note} `}</span>
          {error && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                focusCard(currentTarget);
                form.retry();
              }}
            >
              {texts.messages.retry}
            </button>
          )}
        </p>
      )}
      {hasRows && (
        <>
          <PaymentMethods
            fiat={fiat}
            method={form.method}
            change={form.change}
            texts={texts}
            name={`${cardId}method`}
          />
          <PriceBreakdown quote={form.data} texts={texts} />
        </>
      )}
      <Announcer form={form} texts={texts} isNft={isNft} unclear={typed.refusal} />
    </>
  );
}

interface PriceBreakdownProps {
  readonly quote: Quote | undefined;
  readonly texts: QuoteTexts;
}

const PriceBreakdown = memo(function PriceBreakdown({ quote, texts }: PriceBreakdownProps) {
  const { messages, formats } = texts;
  const formatFiat = (amount: string | undefined) =>
    quote && amount != null ? formats.money(amount, quote.fiatCurrency) : undefined;
  const symbol = quote && getCurrencySymbol(quote);
  const totalFee = formatFiat(quote?.totalFee);
  const rows = [
    [messages.amount, formatFiat(quote?.currencyAmount)],
    [messages.gasFee, formatFiat(quote?.gasFee)],
    [messages.processingFee, formatFiat(quote?.platformFee)],
    [messages.totalFee, totalFee],
    // Show all digits of the unit price here. Above, the card shows it with fewer digits.
    ...(quote?.cryptoCurrencyUnitPrice && symbol
      ? [[formats.coin('1', symbol), formatFiat(quote.cryptoCurrencyUnitPrice)]]
      : []),
    [messages.amountReceived, quote && symbol && formats.coin(quote.cryptoCurrencyAmount, symbol)],
  ].filter(([, figure]) => figure || !quote);
  return (
    <details className="ramp-quote-breakdown">
      <summary>
        <span>{`${messages.priceBreakdown} `}</span>
        {totalFee && (
          <span className="ramp-quote-fees">{fillText(messages.fees, { amount: totalFee })}</span>
        )}
      </summary>
      <dl>
        {rows.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{figure ?? '–'}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
});

interface AnnouncerProps {
  readonly form: QuoteForm;
  readonly texts: QuoteTexts;
  readonly isNft: boolean;
  /** The message for typed text that is not an amount. */
  readonly unclear: string | undefined;
}

/**
 * Announces the price, or why there is none, to screen readers once typing has paused. Automatic refreshes of the
 * price are not announced. If the new currency does not have the chosen payment method, the announcement names the
 * method that replaced it.
 */
function Announcer({ form, texts, isNft, unclear }: AnnouncerProps) {
  const { status, selection, fiat } = form;
  const method = form.method?.name;
  const subject = JSON.stringify([status, form.limit ?? selection, unclear]);
  const [announced, setAnnounced] = useState({ subject: '', text: '', method });
  const isPending =
    status === 'loading' || status === 'refreshing' || subject === announced.subject;
  const isReplaced =
    announced.method && fiat?.paymentOptions.every(({ name }) => name !== announced.method);
  const text = isPending
    ? announced.text
    : (unclear ?? getAnnouncement(form, texts, isNft, isReplaced ? method : undefined));
  useEffect(() => {
    if (isPending) return;
    const timer = setTimeout(() => setAnnounced({ subject, text, method }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [isPending, subject, text, method]);
  // Clear the text after a while, because a screen reader user who reaches it later would hear an outdated price.
  useEffect(() => {
    if (!announced.text) return;
    const timer = setTimeout(() => setAnnounced((known) => ({ ...known, text: '' })), CLEAR_MS);
    return () => clearTimeout(timer);
  }, [announced.text]);
  return (
    <p role="status" className="ramp-visually-hidden">
      {announced.text}
    </p>
  );
}

/** @param method - The payment method that has replaced the chosen one, if any. */
function getAnnouncement(
  form: QuoteForm,
  texts: QuoteTexts,
  isNft: boolean,
  method: string | undefined,
): string {
  const text = getPriceAnnouncement(form, texts, isNft);
  if (!method) return text;
  return `${texts.messages.paymentMethod}: ${formatMethodName(method, texts.messages)}. ${text}`;
}

function getPriceAnnouncement(form: QuoteForm, texts: QuoteTexts, isNft: boolean): string {
  const { status, data: quote, limit, selection } = form;
  const { messages, formats } = texts;
  if (limit && selection) {
    const amount = formats.coin(limit, selection.fiatCurrency);
    return fillText(getLimitText(status, texts), { amount });
  }
  if (status !== 'success' || !quote) return describeQuoteStatus(form, texts);
  return isNft
    ? `${messages.youPay}: ≈ ${formats.money(quote.currencyAmount, quote.fiatCurrency)}`
    : `${messages.youGet}: ≈ ${formatBought(quote, texts)}`;
}
