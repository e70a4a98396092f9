import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes that make the start of the server fail. */
export const startMistakes: readonly Mistake[] = [
  createMistake(
    1,
    'The partner ID is missing',
    'error at start',
    'RampError: partnerId of createRamp is missing. Is its environment variable set? If startSandbox() returns it, write await startSandbox().',
  ),
  createMistake(
    2,
    'The secret is missing',
    'error at start',
    'RampError: secretKey of createRamp is missing. Is its environment variable set? If startSandbox() returns it, write await startSandbox().',
  ),
  createMistake(
    3,
    'The API key is missing',
    'error at start',
    'RampError: apiPrivateKey of createRamp is missing. Is its environment variable set? If startSandbox() returns it, write await startSandbox().',
  ),
  createMistake(
    4,
    'The secret has white space around it',
    'error at start',
    'RampError: secretKey of createRamp must be the SecretKey that was issued at onboarding, without white space around it.',
  ),
  createMistake(
    5,
    'There is no policy',
    'error at start',
    'RampError: createRamp needs policy: your function that returns the parameters to sign for a shopper.',
  ),
  createMistake(
    6,
    'There is no getShopper',
    'error at start',
    'RampError: createRamp needs getShopper: your function that returns who sends a request, as an object with an id.',
  ),
  createMistake(
    7,
    'There are no allowedOrigins',
    'error at start',
    "RampError: createRamp needs allowedOrigins: a list of the origins of your pages, such as ['https://shop.example'].",
  ),
  createMistake(
    8,
    'An allowed origin ends in a slash',
    'error at start',
    'RampError: createRamp expects exact origins as allowedOrigins, and entry 1 is not one. Write it as https://shop.example, without a path or a slash at the end.',
  ),
  createMistake(
    9,
    "The allowed origin is '*'",
    'error at start',
    'RampError: createRamp expects exact origins as allowedOrigins, and entry 1 is not one. A wildcard is not allowed, because requests carry cookies: list each origin, such as https://shop.example, or pass a function.',
  ),
  createMistake(
    27,
    'The sandbox starts in production',
    'error at start',
    'RampError: Sandbox: the sandbox does not run with NODE_ENV=production, because it accepts every payment without charging anyone.',
  ),
  createMistake(
    41,
    'There is a webhookUrl without the key of the service',
    'error at start',
    'RampError: createRamp has webhookUrl without webhookPublicKey: a webhook is verified with both.',
  ),
  createMistake(
    44,
    'The line breaks of the public key are the two characters \\n',
    'error at start',
    "RampError: webhookPublicKey of createRamp cannot be read: its line breaks are the two characters \\n. Put the value between double quotes in the .env file, or replace them: key.replaceAll('\\\\n', '\\n').",
  ),
];
