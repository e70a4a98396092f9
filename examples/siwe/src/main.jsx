import { CheckoutStatus, OnRampButton, RampProvider } from '@partner-ramp/react';
import '@partner-ramp/react/styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { useConnect, useConnection, useConnectors, useDisconnect, WagmiProvider } from 'wagmi';
import { SignIn } from './SignIn.jsx';
import { useWallet } from './useWallet.js';
import { config } from './wagmi.js';

function Shop() {
  const { address, isConnected } = useConnection();
  const { wallet } = useWallet();
  return (
    <>
      <h1>Buy crypto to your own wallet</h1>
      {isConnected ? <Wallet /> : <Connect />}
      {/* A new key for each wallet: a signature for one never opens the checkout of another. */}
      <OnRampButton
        key={`${address} ${wallet}`}
        walletAddress={address}
        walletAddressLocked={isConnected}
        cryptoCurrency="ETH"
        defaultFiatCurrency="USD"
        amount="100"
      >
        Buy ETH
      </OnRampButton>
      {wallet && <CheckoutStatus key={wallet} />}
    </>
  );
}

function Connect() {
  const { mutate: connect, error } = useConnect();
  const connectors = useConnectors();
  return (
    <p>
      {connectors.map((connector) => (
        <button key={connector.uid} type="button" onClick={() => connect({ connector })}>
          Connect {connector.name}
        </button>
      ))}
      {error && <span role="alert">{error.shortMessage ?? error.message}</span>}
    </p>
  );
}

function Wallet() {
  const { address } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  const { wallet, signOut } = useWallet();
  return (
    <>
      <p>
        Your wallet: <code>{address}</code>{' '}
        <button type="button" onClick={() => signOut().then(() => disconnect())}>
          Disconnect
        </button>
      </p>
      {wallet === address ? <p>You have proved that this wallet is yours.</p> : <SignIn />}
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RampProvider widgetUrl={import.meta.env.VITE_RAMP_WIDGET_URL} api="/api/ramp">
        <Shop />
      </RampProvider>
    </QueryClientProvider>
  </WagmiProvider>,
);
