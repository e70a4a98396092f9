import type { RampSettings } from '../provider/RampSettings.js';

const done = new Set<string>();

/**
 * Opens a connection to the widget's origin ahead of the click, once for a page. Firefox uses it for
 * the frame; Chromium keeps the connections of a frame from another site apart and opens its own.
 */
export function preconnect({ widgetUrl = '' }: RampSettings): void {
  let url: URL;
  try {
    url = new URL(widgetUrl);
  } catch {
    // No address: opening says so.
    return;
  }
  const { origin, protocol } = url;
  if (done.has(origin) || !/^https?:$/.test(protocol)) return;
  done.add(origin);
  const link = document.createElement('link');
  link.rel = 'preconnect';
  link.href = origin;
  document.head.append(link);
}
