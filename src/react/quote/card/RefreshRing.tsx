import { useState } from 'react';

const ring = { cx: 10, cy: 10, r: 8, fill: 'none', stroke: 'currentColor', strokeWidth: 2 };

interface RefreshRingProps {
  /** When the countdown ends, in Unix seconds. Without a value it is shown as ended. */
  readonly endsAt: number | undefined;
  readonly seconds: number;
}

/** A countdown to the next quote, animated with CSS only. Pass `endsAt` as `key` to restart it. */
export function RefreshRing({ endsAt, seconds }: RefreshRingProps) {
  // A negative delay: the part that has passed. Computed once, or each render would restart the animation.
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
