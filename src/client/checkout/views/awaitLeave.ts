/** How long a new window may take to appear. */
const APPEAR_MS = 1500;

/**
 * Waits until a link of the page has opened a window, which hides the page or takes its focus. In the web views of some
 * apps, a link to a new window does nothing.
 *
 * @returns A function that stops waiting.
 */
export function awaitLeave(onLeft: () => void, onStayed: () => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    removeEventListener('blur', leave);
    removeEventListener('pagehide', leave);
    document.removeEventListener('visibilitychange', leave);
  };
  const leave = () => {
    stop();
    onLeft();
  };
  addEventListener('blur', leave);
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', leave);
  // Keep the listeners, so that a window that appears late is noticed too.
  const timer = setTimeout(onStayed, APPEAR_MS);
  return stop;
}
