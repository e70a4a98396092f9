import { nftCryptoCurrencies } from '../../catalog/cryptoCurrencies.js';
import { findIgnoringCase } from '../offers/findCodeNotices.js';
import type { RefusedWidget, VerifiedWidget } from '../verification/validateWidgetQuery.js';

/** A URL that the widget does not open, and how the page about it is answered. */
export interface Refusal extends Pick<RefusedWidget, 'message' | 'widget' | 'issues' | 'signed'> {
  readonly status: 400 | 403;
  /** Of section 7; a frame is refused before the interface comes into it, so it has none. */
  readonly code?: RefusedWidget['code'];
  readonly reason: RefusedWidget['reason'] | 'framed' | 'nft-currency';
}

/** The URL is right, and stands in a frame without having said so (`windowOpen`). */
export function createFramedRefusal({ widget, signed, params }: VerifiedWidget): Refusal {
  const misspelt = Object.keys(params).find((name) => /^windowopen$/i.test(name));
  return {
    status: 403,
    reason: 'framed',
    message: `This checkout stands in a frame, and the URL does not have windowOpen=1.${
      misspelt && misspelt !== 'windowOpen' ? ` It has ${misspelt}: names are case-sensitive.` : ''
    }`,
    widget,
    signed,
  };
}

const nftCodes = nftCryptoCurrencies.map(({ code }) => code);

/** The URL is right, and its NFT is priced in a currency that is not on the list for NFTs. */
export function createNftCurrencyRefusal({ widget, signed, params }: VerifiedWidget): Refusal {
  const code = params.cryptoCurrency ?? '';
  const meant = findIgnoringCase(nftCodes, code);
  const hint = meant ? ` Codes are case-sensitive: the list has ${meant}.` : '';
  return {
    status: 400,
    code: 10002,
    reason: 'nft-currency',
    message: `The URL is right and its signature is good, but NFTs are not priced in ${code} here.${hint}`,
    widget,
    issues: [{ param: 'cryptoCurrency', message: `is ${code}, which is not on the list for NFTs` }],
    signed,
  };
}

const signing = [
  'Sign on your server, with the SecretKey that belongs to this partnerId.',
  'Join the signed parameters as key=value with &, sorted by key in ASCII order, values as they are (ext: URL-encoded first).',
  'docs/signing.md, in the package, defines this text in full, also for other languages.',
];

/** What to look at, for each reason. */
export const refusalAdvice: Readonly<Record<Refusal['reason'], readonly string[]>> = {
  query: [
    'Build the URL with an encoder, such as buildWidgetUrl: each name once, each value percent-encoded.',
  ],
  'premium-only': [
    'Sign the URL, or leave these parameters out.',
    'Did something on the way drop partnerId, timestamp, nonce and signature?',
  ],
  'unknown-partner': [
    'The sandbox makes a new partnerId and SecretKey at each start. Take those of this run.',
  ],
  incomplete: [
    'A Premium URL carries all four: partnerId, timestamp, nonce, signature.',
    'Without any of them the URL is a Basic one. That needs another partnerId, or none.',
  ],
  signature: [
    ...signing,
    'Compare the text below with what your signer signed, character by character.',
    'The signature is base64 and then percent-encoded in the URL: + is %2B, / is %2F, = is %3D.',
    'Was a signed parameter changed or added after signing? The wallet is signed, the amount is not.',
  ],
  'timestamp-expired': [
    'Sign when the checkout is about to open. A URL that was kept, or a page that was reloaded, is too old.',
    "Is your server's clock right?",
  ],
  'timestamp-in-future': [
    "Is your server's clock right?",
    'The timestamp is in seconds, not milliseconds.',
  ],
  params: ['Names and values are case-sensitive.', 'docs/parameters.md lists them all.'],
  framed: [
    'Add windowOpen=1 to the URL when a page shows it in a frame. It is not signed.',
    'Or open the checkout in a window of its own.',
  ],
  'nft-currency': [
    `Price the NFT in one of these: ${nftCodes.join(', ')}.`,
    'The API lists them as GET /open/api/onramp/token?buyType=nft. The on-ramp list is a longer one.',
  ],
};
