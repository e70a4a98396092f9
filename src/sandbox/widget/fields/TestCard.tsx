import { useLocale } from '../locale/Locale.js';
import { Field } from './Field.js';

/**
 * Shows a test card. The fields are read-only and have no names that trigger autofill, so that no real card
 * is entered here. None of its data is sent.
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
