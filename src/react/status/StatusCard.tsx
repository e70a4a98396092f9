import { forwardRef } from 'react';
import { useRampSettings } from '../provider/RampProvider.js';
import type { CheckoutStatusProps, CheckoutStatusRootProps } from './CheckoutStatusProps.js';
import { StatusSkeleton } from './StatusSkeleton.js';
import { useCheckoutStatus } from './useCheckoutStatus.js';
import { useStatusCard } from './useStatusCard.js';
import type { CheckoutStatusState } from './watch/CheckoutStatusState.js';

/** The card of one checkout. It is hidden without a reference. */
export const StatusCard = /* @__PURE__ */ forwardRef<HTMLDivElement, CheckoutStatusProps>(
  function StatusCard(props, ref) {
    const {
      reference,
      api,
      credentials,
      headers,
      messages,
      language,
      locale,
      render,
      className = '',
      children,
      ...native
    } = props;
    const settings = useRampSettings({ api, credentials, headers, messages, language });
    const found = useCheckoutStatus(reference, settings);
    const { part: card, error, load } = useStatusCard();
    const state: CheckoutStatusState = error
      ? { ...found, status: 'error', error, retry: load }
      : found;
    const { status } = state;
    const isIdle = status === 'idle';
    const isLoading = !isIdle && !error && (status === 'loading' || !card);
    const view =
      card && !isIdle && !isLoading
        ? card.createStatusView(state, settings.messages, locale || settings.language)
        : undefined;
    const root: CheckoutStatusRootProps = {
      role: 'group',
      'aria-label': settings.messages?.order ?? 'Your order',
      hidden: isIdle,
      ...native,
      ref,
      className: `ramp-status ${className}`,
      'data-state': isIdle ? 'idle' : isLoading ? 'loading' : (view?.checkout?.progress ?? 'error'),
      'data-offline': (view?.checkout && view.trouble && true) || undefined,
      'aria-busy': isLoading,
      children: (
        <>
          {/* Rendered from the start: screen readers announce only changes of an existing live region. */}
          <div role="status" className="ramp-status-head">
            {card && view ? (
              <card.StatusHead view={view} />
            ) : isLoading ? (
              <span className="ramp-visually-hidden">
                {settings.messages?.orderLoading ?? 'Loading your order…'}
              </span>
            ) : (
              error && (
                <p className="ramp-status-title">{settings.messages?.reload ?? error.message}</p>
              )
            )}
          </div>
          {card && view ? <card.StatusBody view={view} /> : isLoading && <StatusSkeleton />}
          {children}
        </>
      ),
    };
    return render ? render(root, state) : <div {...root} />;
  },
);
