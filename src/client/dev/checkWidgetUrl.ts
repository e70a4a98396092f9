// Loaded in development builds only.

const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;
const checked = new Set<string>();

/**
 * Warns once in the console when a `widgetUrl` on loopback has a wrong path, or no server listens there, for example
 * because the sandbox runs on another port. The frame's `load` event cannot reveal a missing server, because the
 * browser's own error page emits it too.
 */
export async function checkWidgetUrl(widgetUrl: string): Promise<void> {
  const origin = parseOrigin(widgetUrl);
  if (!LOOPBACK.test(origin) || origin === location.origin || checked.has(origin)) return;
  checked.add(origin);
  const { pathname } = new URL(widgetUrl);
  if (!/^\/(home\/?)?$/.test(pathname)) {
    console.warn(
      `[partner-ramp] widgetUrl has the path ${pathname}, but the sandbox serves its widget at the root, so the checkout shows an error page. Pass the widgetUrl that startSandbox() returns: ${origin}.`,
    );
    return;
  }
  // If the page's Content-Security-Policy refuses the request below, the widget may still work, so do not warn.
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
  };
  document.addEventListener('securitypolicyviolation', refuse);
  try {
    // Request /health, because the sandbox redirects / to the widget's page. Any response, even 404, shows that a
    // server runs.
    const url = `${origin}/health`;
    await fetch(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit' });
  } catch {
    // The browser emits `securitypolicyviolation` shortly after it rejects the request, so wait for the event.
    await new Promise((done) => setTimeout(done, 50));
    if (!isRefused)
      console.warn(
        `[partner-ramp] No server responds at ${origin}, the origin of widgetUrl, so the checkout shows the browser's error page. Start the sandbox, or correct the port in widgetUrl: startSandbox() returns its widgetUrl.`,
      );
  } finally {
    document.removeEventListener('securitypolicyviolation', refuse);
  }
}

function parseOrigin(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return '';
  }
}
