import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import { type CurrencyOption, findOptions } from './currencyOptions.js';
import { Picture } from './Picture.js';

interface CurrencyListProps {
  readonly options: readonly CurrencyOption[];
  /** The code of the present one. */
  readonly chosen: string;
  /** The events in the list and its pill. */
  readonly inside: WeakSet<Event>;
  readonly messages: QuoteMessages;
  readonly onChoose: (code: string) => void;
  /** `refocus`: the focus would be lost. */
  readonly onClose: (refocus: boolean) => void;
}

/** What tells that somebody has gone elsewhere. */
const OUTSIDE_EVENTS = ['click', 'focusin'];

/** A list of currencies with a field to search it: a combobox, by keyboard, pointer or touch. */
export function CurrencyList(props: CurrencyListProps) {
  const { options, chosen, inside, messages, onChoose, onClose } = props;
  const [search, setSearch] = useState('');
  const [activeIndex, setActiveIndex] = useState(() =>
    options.findIndex(({ code }) => code === chosen),
  );
  // The pointer makes an option the active one too, and nothing moves under it for that.
  const [scrolledIndex, setScrolledIndex] = useState(activeIndex);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const found = findOptions(options, search);
  const active = found[activeIndex];

  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const show = (next: number) => {
    setActiveIndex(next);
    setScrolledIndex(next);
  };
  useEffect(() => {
    box.current
      ?.querySelectorAll('[role="option"]')
      [scrolledIndex]?.scrollIntoView({ block: 'nearest' });
  }, [scrolledIndex]);
  useEffect(() => {
    const page = box.current?.ownerDocument as Document;
    const onOutsideEvent = (event: Event) => {
      if (inside.has(event)) return;
      // At a click the focus has gone where it goes: to a control, or it is lost with the list.
      onClose(event.type === 'click' && page.activeElement === page.body);
    };
    // Focus that moves within a shadow tree is not told outside of it.
    const places = new Set([page, box.current?.getRootNode() as Node]);
    for (const place of places)
      for (const type of OUTSIDE_EVENTS) place.addEventListener(type, onOutsideEvent);
    return () => {
      for (const place of places)
        for (const type of OUTSIDE_EVENTS) place.removeEventListener(type, onOutsideEvent);
    };
  });

  const markInside = ({ nativeEvent }: SyntheticEvent) => {
    inside.add(nativeEvent);
  };
  const choose = (option: CurrencyOption | undefined) => {
    if (!option) return;
    if (option.code !== chosen) onChoose(option.code);
    onClose(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that ends a composition is not meant for the list.
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    // A dialog around the card is not to close with the list.
    event.stopPropagation();
    act();
  };
  const onEscape = (event: KeyboardEvent) => event.key === 'Escape' && onKeyDown(event);
  const last = found.length - 1;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => show(activeIndex < last ? activeIndex + 1 : 0),
    ArrowUp: () => show(activeIndex > 0 ? activeIndex - 1 : last),
    Home: () => show(0),
    End: () => show(last),
    PageDown: () => show(Math.min(activeIndex + 5, last)),
    PageUp: () => show(Math.max(activeIndex - 5, 0)),
    Enter: () => choose(active),
    Escape: () => onClose(true),
  };

  return (
    <div
      ref={box}
      className="ramp-quote-list"
      onClickCapture={markInside}
      onFocusCapture={markInside}
    >
      <div className="ramp-quote-search">
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={active && `${id}${activeIndex}`}
          aria-label={messages.searchCurrency}
          placeholder={messages.searchCurrency}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            show(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          aria-label={messages.closeList}
          onClick={() => onClose(true)}
          onKeyDown={onEscape}
        >
          <span aria-hidden="true">×</span>
        </button>
      </div>
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
