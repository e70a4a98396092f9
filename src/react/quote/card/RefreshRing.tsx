import { useState } from 'react';

const ring = { cx: 10, cy: 10, r: 8, fill: 'none', stroke: 'currentColor', strokeWidth: 2 };

interface RefreshRingProps {
  /** When it has run down, in Unix seconds. Without, it has. */
  readonly endsAt: number | undefined;
  readonly seconds: number;
}

/** Runs down until the next quote, by the stylesheet alone: no render, no sound. Give it `endsAt` as key. */
export function RefreshRing({ endsAt, seconds }: RefreshRingProps) {
  // Negative: so much of it is over. Read once, or each render would set it back.
  const [style] = useState(() => {
    if (endsAt === undefined) return undefined;
    const delay = endsAt - seconds - Date.now() / 1000;
    return { animationDuration: `${seconds}s`, animationDelay: `${delay}s` };
  });
  return (
    <svg className="ramp-quote-ring" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <circle {...ring} opacity="0.25" />
      <circle {...ring} pathLength="1" strokeDasharray="1" strokeLinecap="round" style={style} />
    </svg>
  );
}
