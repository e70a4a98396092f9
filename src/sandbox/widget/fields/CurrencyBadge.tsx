import type { ReactNode } from 'react';

interface CurrencyBadgeProps {
  readonly short: string | undefined;
  readonly under?: string | undefined;
  /** What chooses another; it says the name itself. */
  readonly children?: ReactNode;
}

/** A currency beside its amount. */
export function CurrencyBadge({ short, under, children }: CurrencyBadgeProps) {
  const only = children === undefined;
  return (
    <span className="pill" data-only={only || undefined}>
      <span aria-hidden={!only}>
        <span className="pill-code">{short}</span>
        {under && <span className="pill-under">{under}</span>}
      </span>
      {children}
    </span>
  );
}
