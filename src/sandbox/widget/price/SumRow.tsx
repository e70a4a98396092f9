import type { ReactNode } from 'react';

interface SumRowProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** One line of a sum or of a receipt: its name, and what it comes to. */
export function SumRow({ label, className, children }: SumRowProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
