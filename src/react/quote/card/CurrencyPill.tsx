import { type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CurrencyOption } from '../../../client/quote/currencyOptions.js';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import { CurrencyList } from './CurrencyList.js';
import { Picture } from './Picture.js';

interface CurrencyPillProps {
  readonly chosen: CurrencyOption | undefined;
  /** Returns the currencies to choose from. Called only while the list is open. */
  readonly options: () => readonly CurrencyOption[];
  readonly messages: QuoteMessages;
  readonly onChoose: (code: string) => void;
}

/** A button that shows the selected currency and opens the list. */
export function CurrencyPill({ chosen, options, messages, onChoose }: CurrencyPillProps) {
  const pill = useRef<HTMLButtonElement>(null);
  // Remember the events that started in the button or the list. Outside a shadow tree, the target of an event does not
  // say where the event started, because browsers set the target to the host of the tree.
  const [inside] = useState(() => new WeakSet<Event>());
  const markInside = ({ nativeEvent }: SyntheticEvent) => {
    inside.add(nativeEvent);
  };
  const [isOpen, setOpen] = useState(false);
  const close = (refocus: boolean) => {
    if (!refocus) return setOpen(false);
    // A modal list makes the button inert, so the list must be gone before the button gets the focus.
    flushSync(() => setOpen(false));
    pill.current?.focus();
  };
  if (!chosen)
    return <span className="ramp-quote-pill ramp-quote-placeholder" aria-hidden="true" />;
  return (
    <>
      <button
        ref={pill}
        type="button"
        className="ramp-quote-pill"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onFocus={markInside}
        onClick={(event) => {
          markInside(event);
          if (isOpen) close(true);
          else setOpen(true);
        }}
        onKeyDown={(event) => {
          if (!isOpen || event.key !== 'Escape') return;
          // Escape must close only the list, not a dialog around the card.
          event.preventDefault();
          event.stopPropagation();
          close(true);
        }}
      >
        <Picture src={chosen.icon}>{chosen.sign}</Picture>
        <span className="ramp-quote-code">
          <span>{chosen.label}</span>
          {chosen.network && <small>{` ${chosen.network}`}</small>}
          <span className="ramp-visually-hidden">
            {`${chosen.network ? '' : ` ${chosen.detail}`}, ${messages.changeCurrency}`}
          </span>
        </span>
      </button>
      {isOpen && (
        <CurrencyList
          options={options()}
          chosen={chosen.code}
          inside={inside}
          messages={messages}
          onChoose={onChoose}
          onClose={close}
        />
      )}
    </>
  );
}
