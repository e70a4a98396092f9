type Headers = Readonly<Record<string, string>>;

interface Refusal {
  readonly title: string;
  readonly body: object;
  readonly headers?: Headers;
  readonly status: number;
  readonly code: string;
}

const onRamp = { widget: 'on-ramp', params: {} };

/** Requests that every example backend must refuse, with the expected status and code. */
export const refusals: readonly Refusal[] = [
  {
    title: 'a shopper who is not signed in',
    body: onRamp,
    headers: { Cookie: '' },
    status: 401,
    code: 'ERR_SIGNED_OUT',
  },
  {
    title: 'a page of another origin',
    body: onRamp,
    headers: { Origin: 'https://other.example' },
    status: 403,
    code: 'ERR_ORIGIN_REFUSED',
  },
  {
    title: 'a body that is not declared as JSON',
    body: onRamp,
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    code: 'ERR_CONTENT_TYPE',
  },
  {
    title: 'an NFT, because it sells none',
    body: { widget: 'nft', params: { merchantUniqueId: 'print-7' } },
    status: 403,
    code: 'ERR_POLICY_REFUSED',
  },
  {
    title: 'a number as a parameter',
    body: { widget: 'on-ramp', params: { walletAddressLocked: 1 } },
    status: 400,
    code: 'ERR_PARAMS_INVALID',
  },
  {
    title: 'a body over 16 KB',
    body: { ...onRamp, params: { ext: 'x'.repeat(20_000) } },
    status: 413,
    code: 'ERR_BODY_TOO_LARGE',
  },
];
