/** Calls a callback of the page. If the callback throws, the error is reported, and nothing of this package stops. */
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
