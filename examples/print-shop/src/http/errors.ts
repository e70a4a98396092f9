import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/** Sends an error in the same JSON format as the ramp handler, so that pages have to parse only one format. */
export function sendError(res: Response, status: number, message: string): void {
  const code = status < 500 ? 'ERR_REQUEST' : 'ERR_INTERNAL';
  res.status(status).json({ error: { code, message } });
}

export const notFound: RequestHandler = (_req, res) => sendError(res, 404, 'Page not found.');

const messages: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  413: 'The request is too large.',
  415: 'Send the request as application/json.',
};

/**
 * Handles every error of a route. The response has a status and a general message. Errors that the caller caused
 * (status 4xx) are not logged, because their messages can quote input. All other errors are logged.
 */
export const errorHandler: ErrorRequestHandler = (error: unknown, req, res, _next) => {
  const status = getClientStatus(error);
  if (!status) req.log.error({ err: error }, 'request failed');
  if (res.headersSent) res.destroy();
  else if (status) sendError(res, status, messages[status] ?? 'The request was refused.');
  else
    sendError(res, 500, 'The shop could not process the request. You were not charged. Try again.');
};

function getClientStatus(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
