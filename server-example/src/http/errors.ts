import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/** Answers in the shape of the ramp handler's errors, so that a page reads one shape alone. */
export function sendError(res: Response, status: number, message: string): void {
  const code = status < 500 ? 'ERR_REQUEST' : 'ERR_INTERNAL';
  res.status(status).json({ error: { code, message } });
}

/** What no route answered. */
export const notFound: RequestHandler = (_req, res) =>
  sendError(res, 404, 'There is nothing here.');

const words: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  413: 'The request is too large.',
  415: 'Send the request as application/json.',
};

/**
 * The last word on every error. The caller learns a status and a general sentence; the cause goes
 * to the log, unless it is the caller's own: such messages can quote what was sent.
 */
export const errorHandler: ErrorRequestHandler = (error: unknown, req, res, _next) => {
  const status = getClientStatus(error);
  if (!status) req.log.error({ err: error }, 'request failed');
  if (res.headersSent) res.destroy();
  else if (status) sendError(res, status, words[status] ?? 'The request was refused.');
  else sendError(res, 500, 'The shop could not answer. Nothing was charged; try again.');
};

function getClientStatus(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
