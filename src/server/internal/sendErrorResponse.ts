import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { ErrorBody } from './toErrorResponse.js';

/** Ends a response of Node.js with the body of an error. */
export function sendErrorResponse(
  res: ServerResponse | Http2ServerResponse,
  { status, body }: { status: number; body: ErrorBody },
): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-store');
  res.end(JSON.stringify(body));
}
