import type { ReactNode } from 'react';

interface CurrencyBadgeProps {
  readonly code: string | undefined;
  readonly caption?: string | undefined;
  /** The control that selects another currency. It has its own accessible name. */
  readonly children?: ReactNode;
}

/** Shows a currency beside its amount. */
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
