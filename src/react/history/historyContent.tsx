// The content of the list is one chunk, which loads during the first request to the backend.

import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { completeMessages } from '../../client/completeMessages.js';
import { focusCard } from '../../client/focusCard.js';
import { createAmountFormats } from '../../client/format/createAmountFormats.js';
import { getPageLocale } from '../../client/pageLocale.js';
import { createStatusView, describeStatus } from '../../client/status/statusView.js';
import { retry as retryEnglish } from '../../messages/EntryMessages.js';
import { type HistoryMessages, historyEnglish } from '../../messages/HistoryMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { fillText, getPluralCategory } from '../../protocol/fillText.js';
import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import { callPage, PageNodes } from '../card/PageNodes.js';
import { OrderDetails } from '../status/card/OrderDetails.js';
import { Receipt } from '../status/card/Receipt.js';
import { SettlementLine, StatusSteps } from '../status/card/StatusSteps.js';
import type { ContinueSettings } from '../status/continue/ContinueCheckout.js';
import {
  ContinueCheckout,
  canContinue,
  useIsWidgetOpen,
} from '../status/continue/ContinueCheckout.js';
import type { CheckoutHistoryState } from './useCheckoutHistory.js';

interface HistoryContentProps {
  readonly history: CheckoutHistoryState;
  readonly settings: ContinueSettings;
  readonly locale: string | undefined;
  readonly renderCheckout:
    | ((checkout: ListedCheckout, entry: ReactElement) => ReactNode)
    | undefined;
  readonly empty: ReactNode;
}

/** The list, or the text that replaces it, with an error above it and a button for older checkouts below it. */
export function HistoryContent(props: HistoryContentProps) {
  const { history, settings, locale, renderCheckout, empty } = props;
  const { data, status, hasMore, isLoadingMore, loadMoreError, loadMore, retry } = history;
  const messages = completeMessages({ retry: retryEnglish, ...historyEnglish }, settings.messages);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const shownCount = useShownCount(data, list);
  return (
    <>
      {/* Always rendered, because screen readers announce only changes to a live region that already exists. */}
      <div role="status">
        {status === 'loading' && (
          <span className="ramp-visually-hidden">{messages.historyLoading}</span>
        )}
        {status === 'error' && <p className="ramp-history-error">{messages.historyFailed}</p>}
        {data?.length === 0 && <p className="ramp-history-empty">{messages.historyEmpty}</p>}
        {shownCount && (
          <span className="ramp-visually-hidden">
            {describeCount(shownCount, messages, locale || settings.language)}
          </span>
        )}
      </div>
      {status === 'error' && (
        <button
          type="button"
          className="ramp-status-retry"
          onClick={({ currentTarget }) => {
            focusCard(currentTarget);
            retry();
          }}
        >
          {messages.retry}
        </button>
      )}
      {data?.length === 0 && <PageNodes>{empty}</PageNodes>}
      {data && data.length > 0 && (
        // Safari needs the role, because the list has no markers.
        // biome-ignore lint/a11y/noRedundantRoles: see above
        <ul ref={list} role="list" className="ramp-history-list">
          {data.map((checkout) => {
            const { reference, progress } = checkout;
            const entryId = `${id}${reference}`;
            const entry = (
              <HistoryEntry
                id={entryId}
                checkout={checkout}
                settings={settings}
                locale={locale}
                onOutcome={retry}
              />
            );
            return (
              // Describe the entry, so that screen readers announce its state when it gets the focus.
              <li
                key={reference}
                data-state={progress}
                tabIndex={-1}
                aria-describedby={`${entryId} ${entryId}facts`}
              >
                {renderCheckout ? callPage(() => renderCheckout(checkout, entry)) : entry}
              </li>
            );
          })}
        </ul>
      )}
      <div role="status">
        {/* Removed during a retry, so that screen readers announce a second failure too. */}
        {loadMoreError && !isLoadingMore && (
          <p className="ramp-history-error">{messages.historyMoreFailed}</p>
        )}
      </div>
      {hasMore && (
        <button
          type="button"
          className="ramp-status-retry ramp-history-more"
          aria-disabled={isLoadingMore}
          aria-busy={isLoadingMore}
          onClick={loadMore}
        >
          {messages.historyMore}
        </button>
      )}
    </>
  );
}

/**
 * Returns how many checkouts are shown, once the shopper has loaded older ones. Screen readers announce this number. If
 * the button for older checkouts is gone because none are left, the focus moves to the first checkout that was added.
 */
function useShownCount(
  data: readonly ListedCheckout[] | undefined,
  list: { readonly current: HTMLUListElement | null },
): number | undefined {
  const [shown, setShown] = useState<number>();
  const before = useRef<{ readonly count: number; readonly last: string | undefined }>(undefined);
  const count = data?.length ?? 0;
  const last = data?.at(-1)?.reference;
  useEffect(() => {
    const known = before.current;
    before.current = { count, last };
    // A refresh adds checkouts only at the top, so the last checkout stays the same.
    if (!known || known.count === 0 || count <= known.count || last === known.last) return;
    setShown(count);
    const first = list.current?.children[known.count];
    if (document.activeElement === document.body && first instanceof HTMLElement)
      first.focus({ preventScroll: true });
  }, [count, last, list]);
  return shown;
}

/** Describes how many checkouts the list shows, for screen readers. */
function describeCount(
  count: number,
  { historyShown, textLanguage }: HistoryMessages & Partial<RampMessages>,
  locale: string | undefined,
): string {
  const { number } = createAmountFormats(locale || getPageLocale());
  const category = getPluralCategory(count, textLanguage);
  return fillText(historyShown, { count: number(`${count}`) }, category);
}

interface HistoryEntryProps {
  /** The id of the title. The line below the title has this id with the suffix `facts`. */
  readonly id: string;
  readonly checkout: ListedCheckout;
  readonly settings: ContinueSettings;
  readonly locale: string | undefined;
  readonly onOutcome: () => void;
}

/** One checkout: its kind, time and state, and behind "Details" its steps and receipt. */
function HistoryEntry({ id, checkout: listed, settings, locale, onOutcome }: HistoryEntryProps) {
  const messages = completeMessages(historyEnglish, settings.messages);
  const view = createStatusView({ data: listed }, settings.messages, locale || settings.language);
  const { checkout = listed, formats, time } = view;
  const isWidgetOpen = useIsWidgetOpen(listed.reference);
  const isOffered = canContinue(checkout, settings) && !isWidgetOpen;
  const [title, hint] = describeStatus(view, isOffered);
  const { widget, progress, orders } = checkout;
  const [{ currencyAmount, fiatCurrency } = {}, ...others] = orders;
  const amount =
    currencyAmount && fiatCurrency && others.length === 0
      ? formats.money(currencyAmount, fiatCurrency)
      : undefined;
  const at = time(listed.createdAt);
  const isNft = widget === 'nft';
  return (
    <div className="ramp-history-entry" data-state={progress}>
      <p id={id} className="ramp-history-title">
        <span className="ramp-history-mark" aria-hidden="true" />
        <strong>{title}</strong>
        {amount && (
          <span className="ramp-history-amount">
            <bdi>{amount}</bdi>
          </span>
        )}
      </p>
      <p id={`${id}facts`} className="ramp-history-facts">
        <span>{isNft ? messages.nftPurchase : messages.cryptoPurchase}</span>
        {at && <time dateTime={at.iso}>{at.text}</time>}
      </p>
      <p className="ramp-status-hint">{hint}</p>
      {(checkout.underReview ?? 0) > 0 && (
        <p className="ramp-status-hint">{view.messages.underReview}</p>
      )}
      <ContinueCheckout
        checkout={checkout}
        settings={settings}
        describedBy={`${id} ${id}facts`}
        onOutcome={onOutcome}
      />
      <details>
        <summary aria-describedby={`${id} ${id}facts`}>{messages.orderDetails}</summary>
        {/* Show no steps for a resolved checkout, because an open step would contradict its title. */}
        {!checkout.resolution && <StatusSteps checkout={checkout} view={view} />}
        {!checkout.resolution && <SettlementLine checkout={checkout} view={view} />}
        {orders.map((order, i, { length }) => (
          // The index is a stable key, because orders are only ever appended.
          <OrderDetails
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={i}
            order={order}
            isNft={isNft}
            number={length > 1 ? i + 1 : undefined}
            view={view}
          />
        ))}
        <Receipt checkout={checkout} view={view} />
      </details>
    </div>
  );
}
