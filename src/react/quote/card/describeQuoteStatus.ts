import { fillText } from '../../../protocol/fillText.js';
import type { QuoteCardView } from './QuoteCardView.js';

/** Returns the text for a state without amounts. */
export function describeQuoteStatus({
  status,
  messages,
  formats,
  timing,
  error,
}: QuoteCardView): string {
  switch (status) {
    case 'stale': {
      const seconds = Math.max(0, Date.now() / 1000 - (timing.quotedAt ?? 0));
      return fillText(messages.stalePrice, { age: formats.age(seconds) });
    }
    case 'unavailable':
      return messages.noPrice;
    case 'empty':
      return messages.nothingOffered;
    case 'offline':
      return messages.priceOffline;
    case 'error':
      return error?.code === 'ERR_NETWORK' ? messages.offline : messages.priceFailed;
    default:
      return '';
  }
}
