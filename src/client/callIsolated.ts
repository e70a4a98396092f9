/** Calls one of the page's callbacks. If the callback throws, its error is reported and this package carries on. */
export function callIsolated(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    if (typeof reportError === 'function') reportError(error);
    // jsdom has no reportError().
    else
      setTimeout(() => {
        throw error;
      });
  }
}
