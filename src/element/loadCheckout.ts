// Cached for the page, because another import() at each click would delay the click by a frame.
let lazyModule: Promise<typeof import('./openElementCheckout.js')> | undefined;

/** Loads the code of a click, without React. Like `loadCheckout` of the components, it does not try while offline. */
export const loadCheckout = () =>
  (lazyModule ||= (
    process.env.NODE_ENV === 'production' && navigator.onLine === false
      ? Promise.reject()
      : import('./openElementCheckout.js')
  ).catch((cause) => {
    lazyModule = undefined;
    throw cause;
  }));
