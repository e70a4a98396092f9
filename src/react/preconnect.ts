const done = new Set<string>();

/**
 * Opens a connection to the widget's origin ahead of the click, once for a page. Firefox uses it for
 * the frame; Chromium keeps the connections of a frame from another site apart and opens its own.
 */
export function preconnect(widgetUrl = ''): void {
  if (done.has(widgetUrl)) return;
  done.add(widgetUrl);
  const link = document.createElement('link');
  link.rel = 'preconnect';
  try {
    link.href = new URL(widgetUrl).origin;
  } catch {
    // No address: opening says so.
    return;
  }
  document.head.append(link);
}
