import { CurrencyBadge } from './CurrencyBadge.js';

interface Choice {
  readonly code: string;
  readonly name: string;
  /** The text of the pill. */
  readonly symbol: string;
  readonly caption?: string;
}

interface CurrencySelectProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
  readonly describedBy?: string | undefined;
  readonly onChange: (code: string) => void;
}

/**
 * Shows the currency in a pill. An invisible native select covers it, because phones and screen readers
 * support native lists. With a single choice the pill is static.
 */
export function CurrencySelect(props: CurrencySelectProps) {
  const { label, choices, value, describedBy, onChange } = props;
  const chosen = choices.find(({ code }) => code === value);
  if (choices.length === 1)
    return <CurrencyBadge code={chosen?.symbol} caption={chosen?.caption} />;
  return (
    <CurrencyBadge code={chosen?.symbol} caption={chosen?.caption}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
      </svg>
      <select
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
