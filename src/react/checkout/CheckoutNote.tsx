import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import type { CheckoutNoteProps } from './CheckoutState.js';
import { OrderNotice } from './OrderNotice.js';

/**
 * Shows what went wrong, in words for a shopper, and the way on: try again, or the link to a blocked window.
 * Without an error it shows the notice of a checkout that was closed.
 */
export function CheckoutNote({ state, onRetry, ...props }: CheckoutNoteProps) {
  const messages = { ...checkoutEnglish, ...props.messages };
  const { error, url, onLinkClick } = state;
  if (!error) return <OrderNotice state={state} messages={props.messages} />;
  if (url) {
    // After the click has done its work: the link goes away with it.
    const onUse = () => onLinkClick && setTimeout(onLinkClick);
    return (
      <>
        {messages.blocked}{' '}
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          onClick={onUse}
          // The wheel opens it too; the right button opens a menu, and nothing yet.
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
