import type { Problem } from '../client/toProblem.js';
import { useLocale } from '../locale/Locale.js';

interface PayButtonProps {
  readonly amount: string;
  readonly paying: boolean;
  readonly problem: Problem | undefined;
}

/** Submits the payment, and shows why it failed. */
export function PayButton({ amount, paying, problem }: PayButtonProps) {
  const { t } = useLocale();
  return (
    <>
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
    </>
  );
}
