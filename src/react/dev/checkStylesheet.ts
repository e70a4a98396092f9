// Loaded in development builds only.
import { warnOnce } from './warnInDev.js';

/**
 * Warns once when no rule of styles.css applies to a component. A page that styles all components itself sets
 * `--ramp-accent`, or renders custom elements. While the page is loading, its stylesheet may be too: a later render,
 * such as the one after a click, checks again.
 */
export function checkStylesheet(): void {
  if (document.readyState !== 'complete') return;
  const component = document.querySelector('.ramp-button, .ramp-quote, .ramp-status');
  if (!component) return;
  const style = getComputedStyle(component);
  if (style.getPropertyValue('--_accent') || style.getPropertyValue('--ramp-accent')) return;
  warnOnce(
    "The stylesheet is missing, so the checkout has no layout: import '@partner-ramp/react/styles.css' once in your page. If you style every component yourself, set the custom property --ramp-accent.",
  );
}
