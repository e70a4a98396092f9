import { type Currency, currencies, inCurrency, offered, signOf, toAmount } from './amount.js';

interface AmountChoiceProps {
  readonly typed: string;
  readonly currency: Currency;
  readonly onTyped: (typed: string) => void;
  readonly onCurrency: (currency: Currency) => void;
}

/** How much to pay: typed, or one of the amounts that are offered. */
export function AmountChoice({ typed, currency, onTyped, onCurrency }: AmountChoiceProps) {
  const amount = toAmount(typed);
  return (
    <fieldset className="amount">
      <legend>You pay</legend>
      <div className="amount-field" data-invalid={!amount || undefined}>
        <span aria-hidden="true">{signOf(currency)}</span>
        <input
          aria-label={`Amount in ${currency}`}
          aria-invalid={!amount}
          aria-describedby={amount ? undefined : 'amount-help'}
          inputMode="decimal"
          autoComplete="off"
          maxLength={9}
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
        />
        <div className="currencies" role="radiogroup" aria-label="Currency">
          {currencies.map((code) => (
            <label key={code}>
              <input
                type="radio"
                name="currency"
                checked={code === currency}
                onChange={() => onCurrency(code)}
              />
              <span>{code}</span>
            </label>
          ))}
        </div>
      </div>
      {!amount && (
        <p id="amount-help" className="amount-help">
          Enter an amount such as 100 or 99.50.
        </p>
      )}
      <div className="chips" role="radiogroup" aria-label="Offered amounts">
        {offered.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="offered"
              checked={choice === amount}
              onChange={() => onTyped(choice)}
            />
            <span>{inCurrency(choice, currency)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
