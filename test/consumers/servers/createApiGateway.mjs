import { isUtf8 } from 'node:buffer';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Creates a server that calls a Lambda function as API Gateway does: an HTTP API with the stage `$default` and the
 * payload format 2.0.
 *
 * @param invoke - The function that AWS Lambda would call with an event and a context.
 */
export const createApiGateway = (invoke) =>
  createServer(async (req, res) => {
    try {
      const event = createEvent(req, await buffer(req));
      sendResult(res, await invoke(event, { awsRequestId: 'r1' }));
    } catch (error) {
      // A client that disconnects within its body gets no response, and no function is called.
      if (req.destroyed && !req.complete) return;
      // biome-ignore lint/suspicious/noConsole: the output of the server under test
      console.error(error);
      res.writeHead(500).end();
    }
  });

/** Text and JSON arrive as text, and every other body in Base64. */
const isText = (type = '', body) =>
  /^(text\/|application\/(json|javascript|xml))/i.test(type) && isUtf8(body);

function createEvent(req, body) {
  // Cookies are a list of their own. The connection ends at the gateway, which also puts the parts of a body together.
  const { cookie, connection: _, 'transfer-encoding': __, ...headers } = req.headers;
  const [rawPath, ...query] = req.url.split('?');
  const rawQueryString = query.join('?');
  const isBase64Encoded = body.length > 0 && !isText(headers['content-type'], body);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    ...(cookie && { cookies: cookie.split('; ') }),
    headers: { ...headers, ...(body.length > 0 && { 'content-length': `${body.length}` }) },
    requestContext: {
      domainName: 'shop.example',
      http: {
        method: req.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: req.socket.remoteAddress,
        userAgent: headers['user-agent'],
      },
      requestId: 'r1',
      stage: '$default',
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  };
}

/** Headers that the gateway sets itself. */
const ownHeaders = /^(connection|content-length|date|keep-alive|transfer-encoding)$/i;

function sendResult(res, { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded }) {
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.test(name)) res.setHeader(name, value);
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
  res.writeHead(statusCode).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}
