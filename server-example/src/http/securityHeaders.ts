import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config/readConfig.js';
import { isHttpsOnly } from './cookies.js';

/** What the checkout may use inside its frame: card payment, and an identity check by camera. */
const DELEGATED = ['payment', 'camera', 'microphone', 'clipboard-write'];

/**
 * The headers of every answer. The service is the only foreign origin: its widget as a frame, its
 * icons of currencies and payment methods as pictures.
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
      // With 'same-origin' a checkout in another window would be severed from this page, which
      // could no longer see when it is closed.
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
