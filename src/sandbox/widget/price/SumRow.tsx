import type { ReactNode } from 'react';

interface SumRowProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Renders one line of a sum or a receipt: its name and its value. */
export function SumRow({ label, className, children }: SumRowProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
