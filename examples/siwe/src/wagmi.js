import { createConfig, http, injected, mock } from 'wagmi';
import { base, mainnet, polygon } from 'wagmi/chains';

/** The wallet of `npm run dev`. */
const testWallet = import.meta.env.VITE_TEST_WALLET;
const testNode = { default: { http: [`${location.origin}/test-wallet`] } };

export const config = createConfig({
  // The chains of shop.js. Wagmi's mock connector signs with the node of the first one.
  chains: [testWallet ? { ...mainnet, rpcUrls: testNode } : mainnet, base, polygon],
  connectors: testWallet ? [injected(), mock({ accounts: [testWallet] })] : [injected()],
  transports: { [mainnet.id]: http(), [base.id]: http(), [polygon.id]: http() },
});
