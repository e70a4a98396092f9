import type { RampSettings } from '../provider/RampSettings.js';

const done = new Set<string>();

/**
 * Opens a connection to the widget's origin before the click, once per page. Firefox uses it for the frame;
 * Chromium partitions the connections of cross-site frames and opens another one.
 */
export function preconnect({ widgetUrl = '' }: RampSettings): void {
  let url: URL;
  try {
    url = new URL(widgetUrl);
  } catch {
    // Opening reports the invalid URL.
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
