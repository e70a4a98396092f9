/** How long a new window may take to appear. */
const APPEAR_MS = 1500;

/**
 * Waits until a link of the page has opened a window, which hides the page or takes its focus. In the web views of some
 * apps, a link to a new window does nothing.
 *
 * @returns A function that ends the wait.
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
  // A window that appears late is noticed too, so the listeners stay.
  const timer = setTimeout(onStayed, APPEAR_MS);
  return stop;
}
