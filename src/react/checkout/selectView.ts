import { isFramed } from '../provider/isFramed.js';
import type { Opening } from './Opening.js';
import { openDialog } from './views/openDialog.js';
import { openInline } from './views/openInline.js';
import { openWindow } from './views/openWindow.js';
import { redirect } from './views/redirect.js';
import type { ViewHandle } from './views/ViewHandle.js';
import type { ViewRequest } from './views/ViewRequest.js';

/** Returns the function that shows the widget in the given display. */
export function selectView({ display, container }: Opening): (request: ViewRequest) => ViewHandle {
  if (!isFramed(display)) return display === 'window' ? openWindow : redirect;
  if (display !== 'inline') return openDialog;
  if (container) return openInline;
  // Without a container in the page, an inline widget is shown in a dialog.
  if (process.env.NODE_ENV !== 'production')
    import('../dev/warnInDev.js').then(({ warnMissingContainer }) => warnMissingContainer());
  return openDialog;
}
