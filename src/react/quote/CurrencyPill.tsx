import { type ComponentType, useRef, useState } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { CurrencyListProps } from './CurrencyList.js';
import type { CurrencyOption } from './currencyOptions.js';
import { Picture } from './Picture.js';

/** Fetched when somebody goes for the pill, kept for the page. */
let loading: Promise<ComponentType<CurrencyListProps>> | undefined;
const load = () => {
  loading ??= import('./CurrencyList.js').then(({ CurrencyList }) => CurrencyList);
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
};

interface CurrencyPillProps {
  readonly chosen: CurrencyOption | undefined;
  /** Asked for once the list is open. */
  readonly options: () => readonly CurrencyOption[];
  readonly messages: RampMessages;
  readonly onChoose: (code: string) => void;
}

/** The chosen currency; opens the list of the others. */
export function CurrencyPill({ chosen, options, messages, onChoose }: CurrencyPillProps) {
  const pill = useRef<HTMLButtonElement>(null);
  const [List, setList] = useState<ComponentType<CurrencyListProps>>();
  const close = (refocus: boolean) => {
    setList(undefined);
    if (refocus) pill.current?.focus();
  };
  const open = () =>
    load().then(
      (loaded) => setList(() => loaded),
      () => {},
    );
  const preload = () => void load().catch(() => {});
  if (!chosen) return <span className="ramp-quote-pill ramp-quote-bone" aria-hidden="true" />;
  return (
    <>
      <button
        ref={pill}
        type="button"
        className="ramp-quote-pill"
        aria-haspopup="listbox"
        aria-expanded={List !== undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => (List ? close(true) : open())}
      >
        <Picture src={chosen.icon}>{chosen.sign}</Picture>
        <span className="ramp-quote-code">
          {chosen.label}
          {chosen.network && <small> {chosen.network}</small>}
          <span className="ramp-quote-hidden">
            {' '}
            {chosen.network ? '' : chosen.detail}, {messages.changeCurrency}
          </span>
        </span>
      </button>
      {List && (
        <List
          options={options()}
          chosen={chosen.code}
          pill={pill}
          messages={messages}
          onChoose={onChoose}
          onClose={close}
        />
      )}
    </>
  );
}
