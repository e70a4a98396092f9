/** Shows a wallet address. It is shortened only visually, so copied text and screen readers get all of it. */
export function Wallet({ address }: { address: string }) {
  return (
    <span className="wallet" title={address}>
      <WalletIcon address={address} />
      <span>
        <span className="wallet-head">{address.slice(0, 6)}</span>
        <span className="wallet-middle">{address.slice(6, -4)}</span>
        <span className="wallet-dots" aria-hidden="true" />
        {address.slice(-4)}
      </span>
    </span>
  );
}

/** Shows an icon whose colours are derived from the address, so that the shopper notices a changed wallet. */
function WalletIcon({ address }: { address: string }) {
  const hue = Number.parseInt(address.slice(-4), 36) % 360;
  const turn = Number.parseInt(address.slice(-8, -4), 36) % 360;
  return (
    <svg className="wallet-icon" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="10" fill={`oklch(52% 0.1 ${hue})`} />
      <path
        d="M10 0a10 10 0 0 1 0 20Z"
        fill={`oklch(80% 0.12 ${(hue + 120) % 360})`}
        transform={`rotate(${turn} 10 10)`}
      />
    </svg>
  );
}
