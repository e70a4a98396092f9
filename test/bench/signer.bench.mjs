// Measures the overhead of signer.sign. The baseline only sorts and joins the same parameters, and calls createHmac.
import { createHmac } from 'node:crypto';
import { createWidgetSigner } from '@partner-ramp/react/server';
import { compareTimes } from './compareTimes.mjs';

const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
const partnerId = 'e6m50fei5oNM2igr';
const sets = {
  'on-ramp': {
    walletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e',
    walletAddressLocked: '1',
    ext: 'q1Jz8sUjQ0u6n1wTq3hYVg',
  },
  nft: {
    contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
    nftNetwork: 'arbitrum',
    transferWalletAddress: '0xc2226CE70DbbDe4CfC4c5E497D765EB6FcfD2d13',
    cryptoCurrency: 'USDT_ERC20',
    amount: '39.00003',
    walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
    walletAddressTag: '105734527',
    type: 'MINT',
    mintQuantity: '17',
    merchantOrderNo: 'A-0ykhhFj99',
    ext: 'q1Jz8sUjQ0u6n1wTq3hYVg',
  },
};

function plain(params) {
  const all = { ...params, partnerId, timestamp: '1986217096', nonce: '931496' };
  const text = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join('&');
  return createHmac('sha256', secretKey).update(text).digest('base64');
}

const signer = createWidgetSigner({ partnerId, secretKey });
for (const [widget, params] of Object.entries(sets))
  compareTimes(`sign ${widget}`, {
    ours: () => signer.sign(widget, params),
    base: () => plain(params),
    baseName: 'plain HMAC',
    limit: 8,
    times: 1_500,
  });
