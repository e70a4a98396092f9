import { type InputHTMLAttributes, type KeyboardEventHandler, useEffect, useRef } from 'react';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';

interface CurrencySearchProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly messages: QuoteMessages;
  readonly onKeyDown: KeyboardEventHandler;
  readonly onClose: () => void;
}

/** The search field above the list, which gets the focus on mount, and the close button. */
export function CurrencySearch({ messages, onClose, ...input }: CurrencySearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className="ramp-quote-search">
      <input
        ref={field}
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-label={messages.searchCurrency}
        placeholder={messages.searchCurrency}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        {...input}
      />
      <button
        type="button"
        aria-label={messages.closeList}
        onClick={onClose}
        onKeyDown={(event) => event.key === 'Escape' && input.onKeyDown(event)}
      >
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}
