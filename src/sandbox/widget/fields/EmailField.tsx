import type { Ref } from 'react';
import { useLocale } from '../locale/Locale.js';
import { Field } from './Field.js';

interface EmailFieldProps {
  readonly value: string;
  readonly wrong: boolean;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onChange: (text: string) => void;
}

/** Renders the field for the shopper's e-mail address. */
export function EmailField({ value, wrong, inputRef, onChange }: EmailFieldProps) {
  const { t } = useLocale();
  return (
    <Field
      inputRef={inputRef}
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      dir="ltr"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={wrong ? t('emailInvalid') : undefined}
    />
  );
}
