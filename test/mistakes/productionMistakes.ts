import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes in a server that nobody would notice, above all in production, if the package did not report them. */
export const productionMistakes: readonly Mistake[] = [
  createMistake(
    66,
    'There is no deliver',
    'error at start',
    'RampError: createRamp needs deliver: your function that gives the shopper what an order has paid for.',
  ),
  createMistake(
    67,
    'There is no review',
    'error at start',
    "RampError: createRamp needs review: your function that lets a person see an order that is not delivered, or 'log'.",
  ),
  createMistake(
    68,
    'memoryOrderStore() is passed in production',
    'log of the server',
    '[partner-ramp] RampError: createRamp has a memoryOrderStore(), so it keeps checkouts and orders in the memory of this process: a restart loses them, and other instances cannot read them. Pass a store, such as sqlOrderStore(), in production.',
  ),
  createMistake(
    69,
    'The secret is in literal quotes',
    'error at start',
    'RampError: secretKey of createRamp has quotation marks around it, which are part of the value: docker --env-file and some other tools keep the quotes of the file. Remove them there.',
  ),
  createMistake(
    70,
    'The API key is in literal quotes',
    'error at start',
    "RampError: apiPrivateKey of createRamp cannot be read: it has quotation marks around it, which are part of the value: docker --env-file and some other tools keep the quotes of the file. Remove them there. Its line breaks are the two characters \\n: replace them, key.replaceAll('\\\\n', '\\n').",
  ),
  createMistake(
    71,
    'The handler is mounted in Express without toExpress',
    'log of the server',
    '[partner-ramp] RampError: ramp.handler takes a Fetch Request, and was called with something else. Mount it with toExpress() of @partner-ramp/react/server/express in Express, and with toNodeHandler() of @partner-ramp/react/server/node in other servers of Node.js.',
  ),
  createMistake(
    72,
    'startSandbox() is not awaited',
    'error at start',
    'RampError: apiUrl of createRamp is missing. Is its environment variable set? If startSandbox() returns it, write await startSandbox().',
  ),
  createMistake(
    73,
    'The allowed origins are one text with commas',
    'error at start',
    "RampError: createRamp expects exact origins as allowedOrigins, and entry 1 is not one. It is several origins in one text: split it, for example with process.env.SHOP_ORIGINS.split(',').",
  ),
  createMistake(
    74,
    'A body parser runs before the handler, and keeps nothing of the body, in production',
    'log of the server',
    '[partner-ramp] RampError: A body parser has read this request before the ramp handler could, and left neither rawBody nor body. Mount the ramp handler (toExpress or toNodeHandler) before it.',
  ),
  createMistake(
    75,
    'pollSeconds is text',
    'error at start',
    'RampError: createRamp expects whole seconds from 1 to 2147483 as pollSeconds. It is text, not a number: convert it, for example with Number(process.env.NAME).',
  ),
  createMistake(
    76,
    'toExpress is mounted with app.post',
    'log of the server',
    "[partner-ramp] RampError: toExpress() is mounted for POST requests only, so Express responds 404 to the others, and the page needs GET and POST. Mount it with app.use('/api/ramp', toExpress(handler)).",
  ),
  createMistake(
    77,
    'Options of the sandbox and of the store are misspelt',
    'error at start',
    'RampError: startSandbox has no option webhookURL. Did you mean webhookUrl?\nRampError: sqlOrderStore has no option dialec. Did you mean dialect?',
  ),
  createMistake(
    78,
    'The origin of the page is not in allowedOrigins, in production',
    'log of the server',
    '[partner-ramp] RampError: A request from the origin "http://localhost:5173" is refused: allowedOrigins of createRamp has https://shop.example. If your pages have this origin, add it exactly as quoted; otherwise another site or a script called your backend. Each origin is reported once a minute.',
  ),
];
