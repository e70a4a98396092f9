import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import type { CheckoutNoteProps } from './CheckoutState.js';
import { OrderNotice } from './OrderNotice.js';

/**
 * Shows an error to the shopper with the next step: a retry button, or the link to a blocked window.
 * Without an error it shows the notice of a checkout that was closed.
 */
export function CheckoutNote({ state, onRetry, ...props }: CheckoutNoteProps) {
  const messages = { ...checkoutEnglish, ...props.messages };
  const { error, url, onLinkClick } = state;
  if (!error) return <OrderNotice state={state} messages={props.messages} />;
  if (url) {
    // Deferred until the browser has followed the link, because the callback removes it.
    const onUse = () => onLinkClick && setTimeout(onLinkClick);
    return (
      <>
        {messages.blocked}{' '}
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          onClick={onUse}
          // The middle button opens the link too; the right button only opens a menu.
          onAuxClick={({ button }) => button === 1 && onUse()}
        >
          {messages.openHere}
        </a>
      </>
    );
  }
  const { code } = error;
  return (
    <>
      {code === 'ERR_POLICY_REFUSED'
        ? error.message
        : messages[/NETWORK|TIMEOUT/.test(code) ? 'offline' : 'failed']}{' '}
      <button type="button" onClick={onRetry}>
        {messages.retry}
      </button>
    </>
  );
}
