/**
 * Opens a blank window. Call it inside a click. Returns null if the browser blocks windows or cannot open any: in some
 * web views of apps `window.open` is missing, throws, does nothing, or returns the page itself.
 */
export function openBlankWindow(): Window | null {
  try {
    const blank = window.open('', '_blank', 'popup,width=480,height=760');
    const isPage = blank === window || blank === window.top;
    return blank && !isPage && !blank.closed ? blank : null;
  } catch {
    return null;
  }
}
