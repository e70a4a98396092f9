import { type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from 'react';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import { CurrencySearch } from './CurrencySearch.js';
import { createListKeys } from './createListKeys.js';
import { type CurrencyOption, findOptions } from './currencyOptions.js';
import { Picture } from './Picture.js';
import { useActiveOption } from './useActiveOption.js';
import { useOutsideEvents } from './useOutsideEvents.js';

interface CurrencyListProps {
  readonly options: readonly CurrencyOption[];
  /** The code of the selected currency. */
  readonly chosen: string;
  /** The events that started in the list or its button. */
  readonly inside: WeakSet<Event>;
  readonly messages: QuoteMessages;
  readonly onChoose: (code: string) => void;
  /** `refocus`: return the focus to the button, or it would be lost. */
  readonly onClose: (refocus: boolean) => void;
}

/** A list of currencies with a search field: a combobox for keyboard, pointer and touch. */
export function CurrencyList(props: CurrencyListProps) {
  const { options, chosen, inside, messages, onChoose, onClose } = props;
  const [search, setSearch] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const [activeIndex, setActiveIndex, show] = useActiveOption(box, () =>
    options.findIndex(({ code }) => code === chosen),
  );
  useOutsideEvents(box, inside, onClose);
  const id = useId();
  const found = findOptions(options, search);
  const active = found[activeIndex];
  const markInside = ({ nativeEvent }: SyntheticEvent) => void inside.add(nativeEvent);
  const choose = (option = active) => {
    if (!option) return;
    if (option.code !== chosen) onChoose(option.code);
    onClose(true);
  };
  const keys = createListKeys(activeIndex, found.length - 1, show, () => choose(), onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that ends an IME composition must not act on the list.
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    // A dialog around the card must not close with the list.
    event.stopPropagation();
    act();
  };
  return (
    <div
      ref={box}
      className="ramp-quote-list"
      onClickCapture={markInside}
      onFocusCapture={markInside}
    >
      <CurrencySearch
        messages={messages}
        onClose={() => onClose(true)}
        aria-controls={id}
        aria-activedescendant={active && `${id}${activeIndex}`}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          show(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={messages.searchCurrency}>
        {found.map((option, index) => (
          <button
            key={option.code}
            id={`${id}${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={option.code === chosen}
            data-active={option === active || undefined}
            onPointerMove={() => setActiveIndex(index)}
            onClick={() => choose(option)}
          >
            <Picture src={option.icon}>{option.sign}</Picture>
            <span className="ramp-quote-code">{option.label}</span>
            <span className="ramp-quote-muted">{option.detail}</span>
          </button>
        ))}
      </div>
      <p className="ramp-quote-muted" role="status">
        {found.length === 0 && messages.noCurrencyFound}
      </p>
    </div>
  );
}
