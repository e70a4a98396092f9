import type { ReactNode, Ref } from 'react';
import type { CatalogFiatCurrency } from '../catalog/fiatCurrencies.js';
import { useLocale } from './locale.js';

interface Choice {
  readonly code: string;
  readonly name: string;
  /** The text that is shown for the chosen currency. */
  readonly symbol: string;
  readonly caption?: string;
}

interface CurrencySelectProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
  readonly describedBy?: string | undefined;
  readonly selectRef?: Ref<HTMLSelectElement> | undefined;
  readonly onChange: (code: string) => void;
}

/**
 * Shows the chosen currency and lets the shopper change it. An invisible native select covers the visible text,
 * because phones and screen readers support native lists. With a single choice there is no select.
 */
export function CurrencySelect(props: CurrencySelectProps) {
  const { label, choices, value, describedBy, selectRef, onChange } = props;
  const chosen = choices.find(({ code }) => code === value);
  if (choices.length === 1)
    return <CurrencyBadge code={chosen?.symbol} caption={chosen?.caption} />;
  return (
    <CurrencyBadge code={chosen?.symbol} caption={chosen?.caption}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
      </svg>
      <select
        ref={selectRef}
        aria-label={label}
        aria-describedby={describedBy}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </CurrencyBadge>
  );
}

interface CurrencyBadgeProps {
  readonly code: string | undefined;
  readonly caption?: string | undefined;
  /** The control that selects another currency. It has its own accessible name. */
  readonly children?: ReactNode;
}

/** Shows a currency beside its amount, as plain text or with a control that changes it. */
export function CurrencyBadge({ code, caption, children }: CurrencyBadgeProps) {
  const isStatic = children === undefined;
  return (
    <span className="badge" data-static={isStatic || undefined}>
      <span aria-hidden={!isStatic}>
        <span className="badge-code">{code}</span>
        {caption && <span className="badge-caption">{caption}</span>}
      </span>
      {children}
    </span>
  );
}

interface FiatSelectProps {
  readonly fiats: readonly CatalogFiatCurrency[];
  readonly fiat: CatalogFiatCurrency | undefined;
  readonly describedBy?: string | undefined;
  readonly selectRef?: Ref<HTMLSelectElement> | undefined;
  readonly onChange: (code: string) => void;
}

/** Lets the shopper choose the fiat currency to pay in, from the URL's list or, without a list, from all of them. */
export function FiatSelect({ fiats, fiat, ...select }: FiatSelectProps) {
  const { t, lang } = useLocale();
  const names = new Intl.DisplayNames(lang, { type: 'currency' });
  return (
    <CurrencySelect
      label={t('paymentCurrency')}
      choices={fiats.map(({ code }) => ({
        code,
        symbol: code,
        name: `${code} – ${names.of(code)}`,
      }))}
      value={fiat?.code}
      {...select}
    />
  );
}
