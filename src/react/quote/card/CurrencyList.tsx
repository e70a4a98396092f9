import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { type CurrencyOption, findOptions } from '../../../client/quote/currencyOptions.js';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import { Picture } from './Picture.js';
import { useTopLayer } from './useTopLayer.js';

interface CurrencyListProps {
  readonly options: readonly CurrencyOption[];
  /** The code of the selected currency. */
  readonly chosen: string;
  /** The events that started in the list or its button. */
  readonly inside: WeakSet<Event>;
  readonly messages: QuoteMessages;
  readonly onChoose: (code: string) => void;
  /**
   * Closes the list. With `refocus`, the focus returns to the button, because the list, which has the focus, is
   * removed.
   */
  readonly onClose: (refocus: boolean) => void;
}

/** A dialog with a list of currencies and a search field: a combobox for keyboard, pointer and touch. */
export function CurrencyList(props: CurrencyListProps) {
  const { options, chosen, inside, messages, onChoose, onClose } = props;
  const [search, setSearch] = useState('');
  const box = useRef<HTMLDialogElement>(null);
  useTopLayer(box);
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
  const keys = createListKeys(activeIndex, found.length - 1, show, () => choose());
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that ends an IME composition must not act on the list.
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <dialog
      ref={box}
      className="ramp-quote-list"
      aria-label={messages.searchCurrency}
      onClickCapture={markInside}
      onFocusCapture={markInside}
      onClick={({ target, currentTarget }) => {
        // Only a click on a modal list's backdrop has the list itself as its target.
        if (target === currentTarget) onClose(true);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        // Escape must close only the list, not a dialog around the card.
        event.preventDefault();
        event.stopPropagation();
        onClose(true);
      }}
      onCancel={(event) => {
        // A phone's Back gesture emits `cancel`.
        event.preventDefault();
        event.stopPropagation();
        onClose(true);
      }}
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
      <div id={id} role="listbox" tabIndex={-1} aria-label={messages.searchCurrency}>
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
    </dialog>
  );
}

interface CurrencySearchProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly messages: QuoteMessages;
  readonly onKeyDown: KeyboardEventHandler;
  readonly onClose: () => void;
}

/** The search field above the list, and the close button. The field gets the focus on mount. */
function CurrencySearch({ messages, onClose, ...input }: CurrencySearchProps) {
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
      <button type="button" aria-label={messages.closeList} onClick={onClose}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}

/**
 * Keeps the index of the active option, and scrolls that option into view.
 *
 * @returns The index; a function that sets it without scrolling, for the pointer; and a function that also scrolls.
 */
function useActiveOption(box: RefObject<HTMLElement | null>, findInitial: () => number) {
  const [activeIndex, setActiveIndex] = useState(findInitial);
  const [scrolledIndex, setScrolledIndex] = useState(activeIndex);
  useEffect(() => {
    box.current
      ?.querySelectorAll('[role="option"]')
      [scrolledIndex]?.scrollIntoView?.({ block: 'nearest' });
  }, [box, scrolledIndex]);
  const show = (next: number) => {
    setActiveIndex(next);
    setScrolledIndex(next);
  };
  return [activeIndex, setActiveIndex, show] as const;
}

const createListKeys = (
  index: number,
  last: number,
  show: (index: number) => void,
  choose: () => void,
): Readonly<Record<string, () => void>> => ({
  ArrowDown: () => show(index < last ? index + 1 : 0),
  ArrowUp: () => show(index > 0 ? index - 1 : last),
  Home: () => show(0),
  End: () => show(last),
  PageDown: () => show(Math.min(index + 5, last)),
  PageUp: () => show(Math.max(index - 5, 0)),
  Enter: choose,
});

const OUTSIDE_EVENTS = ['click', 'focusin'];

/**
 * Calls `onOutside` when the shopper clicks outside the box, or the focus moves outside.
 *
 * @param inside - The events that started in the list or its button. The target of an event does not say where it
 * started, because browsers retarget events that leave a shadow tree.
 */
function useOutsideEvents(
  box: RefObject<HTMLElement | null>,
  inside: WeakSet<Event>,
  onOutside: (refocus: boolean) => void,
): void {
  useEffect(() => {
    const page = box.current?.ownerDocument as Document;
    const onOutsideEvent = (event: Event) => {
      if (inside.has(event)) return;
      // Before a click event, the browser has already moved the focus. If the focus moved to a control, leave it there.
      // If it moved to the body, it is lost, so return it to the button.
      onOutside(event.type === 'click' && page.activeElement === page.body);
    };
    // Listen in the shadow tree too, because moving the focus within the tree emits no event outside it.
    const roots = new Set([page, box.current?.getRootNode() as Node]);
    const controller = new AbortController();
    const { signal } = controller;
    for (const root of roots)
      for (const type of OUTSIDE_EVENTS) root.addEventListener(type, onOutsideEvent, { signal });
    return () => controller.abort();
  });
}
