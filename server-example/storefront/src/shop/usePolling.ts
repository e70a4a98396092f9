import { useEffect } from 'react';

/** Calls `action` at an interval while the page is visible, and when it becomes visible again. */
export function usePolling(action: () => void, intervalMs: number): void {
  useEffect(() => {
    const runIfVisible = () => document.hidden || action();
    const timer = setInterval(runIfVisible, intervalMs);
    document.addEventListener('visibilitychange', runIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runIfVisible);
    };
  }, [action, intervalMs]);
}
