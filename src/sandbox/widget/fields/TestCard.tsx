import { useLocale } from '../locale/Locale.js';
import { Field } from './Field.js';

/**
 * The card. It cannot be edited and has no name that a browser would fill in: nobody's own card may
 * end up here, and none of it is sent.
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
