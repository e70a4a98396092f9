import { useLocale } from '../locale/Locale.js';

/** Returns to the previous screen. Its arrow is mirrored in right-to-left languages. */
export function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useLocale();
  return (
    <button type="button" className="back" aria-label={t('back')} onClick={onClick}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M12.5 4 6.5 10l6 6" />
      </svg>
    </button>
  );
}
