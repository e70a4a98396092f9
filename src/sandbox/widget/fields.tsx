import { type ComponentPropsWithoutRef, type Ref, useId, useRef, useState } from 'react';
import type { Problem } from './checkoutClient.js';
import { useLocale } from './locale.js';

interface FieldProps extends Omit<ComponentPropsWithoutRef<'input'>, 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** Renders a labelled input. Screen readers read the hint and the error as its description. */
export function Field({ label, hint, error, inputRef, className = 'field', ...input }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        ref={inputRef}
        id={id}
        aria-describedby={described || undefined}
        aria-invalid={error ? true : undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/**
 * Returns `showFault`, which tells the shopper again why the chosen currency blocks the purchase. It moves the focus to
 * the select that the error describes. A single currency has no select. In that case `errorKey`, the key of the error
 * element, changes, so that screen readers announce the new element.
 */
export function useCurrencyFault() {
  const select = useRef<HTMLSelectElement>(null);
  const [errorKey, setErrorKey] = useState(0);
  const showFault = () => {
    if (select.current) select.current.focus();
    else setErrorKey((key) => key + 1);
  };
  return { select, errorKey, showFault };
}

interface EmailFieldProps {
  readonly value: string;
  readonly wrong: boolean;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onChange: (text: string) => void;
}

export function EmailField({ value, wrong, inputRef, onChange }: EmailFieldProps) {
  const { t } = useLocale();
  return (
    <Field
      inputRef={inputRef}
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete="email"
      required
      spellCheck={false}
      dir="ltr"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={wrong ? t('emailInvalid') : undefined}
    />
  );
}

/**
 * Shows a test card. The fields are read-only and have no names that trigger autofill, so that no one enters a real
 * card. No card data is sent.
 */
export function TestCard() {
  const { t } = useLocale();
  const fixed = {
    readOnly: true,
    autoComplete: 'off',
    dir: 'ltr',
    className: 'card-field',
  } as const;
  return (
    <fieldset className="card">
      <legend>{t('card')}</legend>
      <div className="card-fields">
        <Field {...fixed} label={t('cardNumber')} value="4242 4242 4242 4242" />
        <Field {...fixed} label={t('expiry')} value="12 / 34" />
        <Field {...fixed} label={t('securityCode')} value="123" />
      </div>
      <p className="hint">{t('testCard')}</p>
    </fieldset>
  );
}

interface PayButtonProps {
  readonly amount: string;
  readonly paying: boolean;
  readonly problem: Problem | undefined;
}

/**
 * Renders the button that submits the payment, and the reason if the payment failed. Both stay visible even if the
 * frame is shorter than the form.
 */
export function PayButton({ amount, paying, problem }: PayButtonProps) {
  const { t } = useLocale();
  return (
    <div className="pay-bar">
      {problem && (
        <p className="error" role="alert">
          {t(problem)}
        </p>
      )}
      <button
        type="submit"
        className="primary"
        aria-disabled={paying}
        data-busy={paying || undefined}
      >
        {t('pay', { amount })}
      </button>
    </div>
  );
}
