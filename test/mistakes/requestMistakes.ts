import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes that make a request of the page fail. */
export const requestMistakes: readonly Mistake[] = [
  createMistake(
    10,
    'The origin of the page is not in allowedOrigins',
    'log of the server, then the console of the page',
    '[partner-ramp] RampError: A request from the origin "http://localhost:5173" is refused: allowedOrigins of createRamp has https://shop.example. If your pages have this origin, add it exactly as quoted; otherwise another site or a script called your backend. Each origin is reported once a minute.\n[partner-ramp] ERR_ORIGIN_REFUSED: The request has the Origin "http://localhost:5173". This origin is not allowed to open checkouts. If the page is yours, add its origin to allowedOrigins of createRamp, with its scheme and port; localhost and 127.0.0.1 are two origins.',
  ),
  createMistake(
    11,
    'A body parser runs before the handler, and keeps nothing of the body',
    'log of the server, then the console of the page',
    '[partner-ramp] RampError: A body parser has read this request before the ramp handler could, and left neither rawBody nor body. Mount the ramp handler (toExpress or toNodeHandler) before it.\n[partner-ramp] ERR_CONFIG_INVALID: A body parser has read this request before the ramp handler could, and left neither rawBody nor body. Mount the ramp handler (toExpress or toNodeHandler) before it.',
  ),
  createMistake(
    17,
    'The api of the page differs from the path of the handler',
    'console of the page',
    '[partner-ramp] ERR_SIGNER: {api}/checkouts returned 404, not from a ramp handler. Check that your backend is running, with the handler at that path, and that the development server forwards that path (server.proxy in Vite).',
  ),
  createMistake(
    18,
    'The api of the page ends in /checkouts',
    'console of the page',
    '[partner-ramp] ERR_NOT_FOUND: Unknown route of the ramp handler. Set api of the page to the path that a browser requests, such as /api/ramp, and basePath of createRamp to the path that the handler sees in request.url. In Next.js, that path has no basePath of Next.',
  ),
  createMistake(
    19,
    'The backend does not run',
    'console of the page',
    "[partner-ramp] ERR_NETWORK: http://127.0.0.1:{port}/api/ramp/checkouts could not be reached: offline or CORS. Check that your backend is running. If it is on another origin, add the page's origin to its allowedOrigins. TypeError: fetch failed [cause]: Error: connect ECONNREFUSED 127.0.0.1:{port}",
  ),
  createMistake(
    20,
    'The handler is not mounted at its basePath',
    'console of the page',
    '[partner-ramp] ERR_NOT_FOUND: Unknown route of the ramp handler. Set api of the page to the path that a browser requests, such as /api/ramp, and basePath of createRamp to the path that the handler sees in request.url. In Next.js, that path has no basePath of Next.',
  ),
  createMistake(
    23,
    'The policy throws because of a bug',
    'log of the server',
    "[partner-ramp] RampError: This checkout is not allowed. [cause]: TypeError: Cannot read properties of undefined (reading 'wallet')",
  ),
  createMistake(
    24,
    'The policy returns a boolean for a string parameter',
    'log of the server, then the console of the page',
    "[partner-ramp] RampError: The checkout policy's params were refused: walletAddressLocked must be a string. [cause]: RampError: Widget parameters refused: walletAddressLocked must be a string.\n[partner-ramp] ERR_PARAMS_INVALID: The checkout policy's params were refused: walletAddressLocked must be a string.",
  ),
  createMistake(
    25,
    'The policy returns no wallet',
    'log of the server, then the console of the page',
    "[partner-ramp] RampError: The checkout policy's params were refused: walletAddress is required. [cause]: RampError: Widget parameters refused: walletAddress is required.\n[partner-ramp] ERR_PARAMS_INVALID: The checkout policy's params were refused: walletAddress is required.",
  ),
  createMistake(
    26,
    'A signed value contains &',
    'log of the server, then the console of the page',
    "[partner-ramp] RampError: The checkout policy's params were refused: walletAddress will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters. [cause]: RampError: Widget parameters refused: walletAddress will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters.\n[partner-ramp] ERR_PARAMS_INVALID: The checkout policy's params were refused: walletAddress will be signed, so it must be plain ASCII without white space and without & = % + # ?, which could be read as other parameters.",
  ),
  createMistake(
    35,
    'A rate limit before the handler responds with 429',
    'console of the page',
    '[partner-ramp] ERR_SIGNER: {api}/checkouts returned 429, not from a ramp handler. A rate limit before the ramp handler refused the request. Raise it for the path of the ramp handler.',
  ),
  createMistake(
    36,
    'A CSRF check before the handler responds with 403',
    'console of the page',
    '[partner-ramp] ERR_SIGNER: {api}/checkouts returned 403, not from a ramp handler. Something before the ramp handler refused the request: a session or CSRF check, a firewall or a proxy. Exclude the path of the ramp handler from it, or set the required headers, such as a CSRF token, in the headers of RampProvider.',
  ),
  createMistake(
    63,
    'A login check before the handler redirects to a page',
    'console of the page',
    '[partner-ramp] ERR_SIGNER: {api}/checkouts returned 200, not from a ramp handler. Something before the ramp handler returned a page, such as a session check that redirects to a login. Exclude the path of the ramp handler from it, or let it respond with 401: your policy decides who may buy.',
  ),
  createMistake(
    39,
    'getShopper returns a number as id',
    'log of the server, then the console of the page',
    '[partner-ramp] RampError: getShopper returned an id that is a number: it must be text, such as String(user.id).\n[partner-ramp] ERR_CONFIG_INVALID: getShopper returned an id that is a number: it must be text, such as String(user.id).',
  ),
  createMistake(
    42,
    'The policy returns a subject, as in earlier versions',
    'log of the server, then the console of the page',
    '[partner-ramp] RampError: The checkout policy returned a subject: the shopper is who getShopper returns, so return no subject.\n[partner-ramp] ERR_CONFIG_INVALID: The checkout policy returned a subject: the shopper is who getShopper returns, so return no subject.',
  ),
  createMistake(
    51,
    'The backend is on another origin, and the page sends no credentials',
    'console of the page',
    '[partner-ramp] ERR_SIGNED_OUT: Sign in to buy. The api is on another origin, so the request carried no cookies. If your backend identifies users by a cookie, set credentials="include" on RampProvider.',
  ),
];
