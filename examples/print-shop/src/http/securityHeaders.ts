import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config/readConfig.js';
import { isHttpsOnly } from './cookies.js';

/** The features that the checkout may use in its frame, for card payment and an identity check by camera. */
const DELEGATED = ['payment', 'camera', 'microphone', 'clipboard-write'];

/**
 * Creates the middleware that sets the headers of every response. The only foreign origins that a page may load from
 * are those of the service: its widget in a frame, and its icons of currencies and payment methods.
 */
export function securityHeaders(config: Config): readonly RequestHandler[] {
  const widget = new URL(config.widgetUrl).origin;
  const icons = [...new Set([widget, new URL(config.apiUrl).origin])];
  const permissions = DELEGATED.map((feature) => `${feature}=(self "${widget}")`).join(', ');
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", ...icons],
          connectSrc: ["'self'"],
          frameSrc: [widget],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
        },
      },
      // With 'same-origin', the page could not notice when a checkout's window is closed.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
      strictTransportSecurity: isHttpsOnly(config.shopOrigins),
    }),
    (_req, res, next) => {
      res.setHeader('Permissions-Policy', permissions);
      next();
    },
  ];
}
