import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { completeMessages } from '../../client/completeMessages.js';
import { focusCard } from '../../client/focusCard.js';
import { createTimeFormat } from '../../client/format/createTimeFormat.js';
import {
  addDismissedCheckout,
  getCardOf,
  getDismissedCheckouts,
} from '../../client/pageCheckouts.js';
import { getPageLocale } from '../../client/pageLocale.js';
import { historyEnglish } from '../../messages/HistoryMessages.js';
import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';
import { PageNodes } from '../card/PageNodes.js';
import type { ContinueSettings } from '../status/continue/ContinueCheckout.js';
import {
  ContinueCheckout,
  useHasOpenWidget,
  useIsWidgetOpen,
} from '../status/continue/ContinueCheckout.js';
import { usePageCheckouts } from '../usePageCheckouts.js';
import type { CheckoutHistoryState } from './useCheckoutHistory.js';

const none: readonly string[] = [];

interface InProgressContentProps {
  readonly history: CheckoutHistoryState;
  readonly settings: ContinueSettings;
  readonly locale: string | undefined;
  readonly children: ReactNode;
}

/** The note about the newest waiting checkout that is not dismissed. */
export function InProgressContent(props: InProgressContentProps) {
  const { history, settings, locale, children } = props;
  const { api = '' } = settings;
  const dismissed = usePageCheckouts(() => getDismissedCheckouts(api), none);
  // Keep the checkout while its widget is open, even if it is paid and leaves the list.
  const [opened, setOpened] = useState<ListedCheckout>();
  const newest = history.data?.find(({ reference }) => !dismissed.includes(reference));
  const checkout = opened ?? newest;
  const reference = checkout?.reference;
  const isWidgetOpen = useIsWidgetOpen(reference);
  const hasOpenWidget = useHasOpenWidget();
  useEffect(() => {
    setOpened((known) => (isWidgetOpen ? (known ?? newest) : undefined));
  }, [isWidgetOpen, newest]);
  const isShownByCard = usePageCheckouts(() => getCardOf(reference) !== undefined, false);
  const messages = completeMessages(historyEnglish, settings.messages);
  // The shopper is in a checkout, so do not interrupt.
  const isHidden = !checkout || hasOpenWidget || isShownByCard;
  const language = locale || settings.language || getPageLocale();
  const at = createTimeFormat(language, Date.now())(checkout?.createdAt);
  const dismiss = (pressed: Element) => {
    if (!reference) return;
    focusCard(pressed);
    addDismissedCheckout(api, reference);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    dismiss(event.currentTarget);
  };
  return (
    <>
      {/* Always rendered, because screen readers announce only changes to a live region that already exists. */}
      <div role="status">
        {!isHidden && (
          <p className="ramp-in-progress-text">
            <span>{`${messages.inProgress} `}</span>
            {at && <time dateTime={at.iso}>{at.text}</time>}
          </p>
        )}
      </div>
      {checkout && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the note is a second way to dismiss it
        <div className="ramp-in-progress-actions" hidden={isHidden} onKeyDown={onKeyDown}>
          <ContinueCheckout
            key={reference}
            checkout={checkout}
            settings={settings}
            onOutcome={history.retry}
          />
          <button
            type="button"
            className="ramp-status-retry"
            onClick={({ currentTarget }) => dismiss(currentTarget)}
          >
            {messages.dismiss}
          </button>
          <PageNodes>{children}</PageNodes>
        </div>
      )}
    </>
  );
}
