import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes in the code and the settings of the page. */
export const pageMistakes: readonly Mistake[] = [
  createMistake(
    12,
    'widgetUrl is missing',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  widgetUrl is missing: pass it to RampProvider or to the component.',
  ),
  createMistake(
    13,
    'widgetUrl ends in /home',
    'console of the page',
    '[partner-ramp] ERR_CONFIG_INVALID: widgetUrl must be the address before /home, which is added to it.',
  ),
  createMistake(
    14,
    'widgetUrl has no scheme',
    'console of the page',
    '[partner-ramp] ERR_CONFIG_INVALID: widgetUrl must be an https: address without query or fragment (http: is allowed on loopback only).',
  ),
  createMistake(
    15,
    'widgetUrl begins with http:',
    'console of the page',
    '[partner-ramp] ERR_CONFIG_INVALID: widgetUrl must be an https: address without query or fragment (http: is allowed on loopback only).',
  ),
  createMistake(
    16,
    'The button has no RampProvider',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  widgetUrl is missing: pass it to RampProvider or to the component.',
  ),
  createMistake(
    21,
    "The page's Content-Security-Policy does not allow the frame",
    'console of the page',
    '[partner-ramp] ERR_WIDGET_LOAD: The page\'s Content-Security-Policy refuses the checkout: add "frame-src {origin}".',
  ),
  createMistake(
    22,
    'The secret is a prop',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  secretKey is in the page, where every visitor can read it: keep it in your backend.',
  ),
  createMistake(
    33,
    'The port of widgetUrl differs from the port of the sandbox',
    'console of the page',
    "[partner-ramp] No server responds at {origin}, the origin of widgetUrl, so the checkout shows the browser's error page. Start the sandbox, or correct the port in widgetUrl: startSandbox() returns its widgetUrl.",
  ),
  createMistake(
    34,
    'The amount has a comma',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  amount must be a decimal number with at most two decimals, such as 100 or 99.50.',
  ),
  createMistake(
    43,
    'CheckoutStatus has no RampProvider',
    'console of the page',
    '[partner-ramp] ERR_CONFIG_INVALID: api is missing: pass the path of your ramp handler to RampProvider or useCheckoutStatus.',
  ),
  createMistake(
    45,
    'The environment variable of api is not set',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  api is undefined and signer is missing, so the checkout opens unsigned, as for a Basic Partner. Check the environment variable that api is read from.',
  ),
  createMistake(
    47,
    'A prop is misspelt, in JavaScript',
    'console of the page',
    '[partner-ramp] Props of the on-ramp checkout:\n  Unknown prop walletAdress: did you mean walletAddress?',
  ),
  createMistake(
    48,
    'The amount of QuotePreview is a number, in JavaScript',
    'console of the page',
    "[partner-ramp] QuotePreview: amount is 100, which is not a decimal string, so the field is empty. Write it as text: amount: '100'.",
  ),
  createMistake(
    49,
    'QuotePreview has an unknown currency',
    'console of the page',
    '[partner-ramp] QuotePreview: cryptoCurrencyCode USDT is not offered, so USDT_ERC20 is shown instead. Did you mean USDT_ERC20?',
  ),
  createMistake(
    50,
    'render does not spread its props',
    'console of the page',
    '[partner-ramp] The render function of the on-ramp button did not use onClick, so a click opens nothing. Spread its props onto your button: render={(props) => <MyButton {...props} />}',
  ),
];
