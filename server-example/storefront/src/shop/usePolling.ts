import { useEffect } from 'react';

/** Does something from time to time while the page is seen, and when it is seen again. */
export function usePolling(action: () => void, everyMs: number): void {
  useEffect(() => {
    const act = () => document.hidden || action();
    const timer = setInterval(act, everyMs);
    document.addEventListener('visibilitychange', act);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', act);
    };
  }, [action, everyMs]);
}
