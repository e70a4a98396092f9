// Cached for the page, because another import() at each click would delay the click by a frame.
let lazyModule: Promise<typeof import('./openCheckout.js')> | undefined;

/** Loads the code of a click, with the React component that shows errors and notices. */
export const loadCheckout = () =>
  (lazyModule ||=
    // Chromium never requests a module again after a failed import(), so do not try while the browser is offline. In
    // development, try nevertheless, because localhost can be reached offline.
    (
      process.env.NODE_ENV === 'production' && navigator.onLine === false
        ? Promise.reject()
        : import('./openCheckout.js')
    ).catch((cause) => {
      lazyModule = undefined;
      throw cause;
    }));
