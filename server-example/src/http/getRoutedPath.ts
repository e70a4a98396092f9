import type { Request } from 'express';

/**
 * Returns the path under the mount point as the ramp handler routes it: `..`, `%2e%2e` and `\` are
 * resolved, as in every URL. Express does not resolve them.
 */
export function getRoutedPath(req: Request): string {
  try {
    return new URL(req.url.startsWith('/') ? `http://localhost${req.url}` : req.url).pathname;
  } catch {
    return req.path;
  }
}
