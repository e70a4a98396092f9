import type { RequestHandler } from 'express';

/**
 * Sets the headers of docs/security.md. The page may load from no foreign origins but the service's: its widget in a
 * frame, and its icons of coins and payment methods.
 */
export function securityHeaders(widgetUrl: string, apiUrl: string): RequestHandler {
  const widget = new URL(widgetUrl).origin;
  const icons = [...new Set([widget, new URL(apiUrl).origin])].join(' ');
  const headers = {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src 'self' ${icons}`,
      `frame-src ${widget}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Permissions-Policy': ['payment', 'camera', 'microphone', 'clipboard-write']
      .map((feature) => `${feature}=(self "${widget}")`)
      .join(', '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // With 'same-origin', the page could not notice when a checkout's window is closed.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Content-Type-Options': 'nosniff',
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
