// Measures the overhead of signer.sign. The baseline only sorts and joins the same parameters, and calls createHmac.
import { createHmac } from 'node:crypto';
import { createWidgetSigner } from '@partner-ramp/react/server';
import { compareTimes } from './compareTimes.mjs';

const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
const partnerId = 'e6m50fei5oNM2igr';
const sets = {
  'on-ramp': {
    walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    walletAddressLocked: '1',
    ext: 'q1Jz8sUjQ0u6n1wTq3hYVg',
  },
  nft: {
    contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
    nftNetwork: 'arbitrum',
    transferWalletAddress: '0xC2226cE70DbBdE4cfC4c5e497D765eb6fcFD2d13',
    cryptoCurrency: 'USDT_ERC20',
    amount: '39.00003',
    walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
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
