import { useMutation } from '@tanstack/react-query';
import { createSiweMessage } from 'viem/siwe';
import { useConnection, useSignMessage } from 'wagmi';
import { request, useWallet } from './useWallet.js';

export function SignIn() {
  const { address, chainId } = useConnection();
  const { mutateAsync: signMessage } = useSignMessage();
  const { update } = useWallet();
  const signIn = useMutation({
    async mutationFn() {
      // The times are the server's, because the clock of this device may be wrong.
      const { nonce, issuedAt, expirationTime } = await request('POST', '/nonce');
      const message = createSiweMessage({
        address,
        chainId,
        domain: location.host,
        uri: location.origin,
        version: '1',
        nonce,
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(expirationTime),
        statement: 'This wallet is mine. I want to receive here what I buy.',
      });
      return request('POST', '/proof', { message, signature: await signMessage({ message }) });
    },
    onSuccess: update,
  });
  return (
    <p>
      <button type="button" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with this wallet
      </button>
      {signIn.error && (
        <span role="alert">{signIn.error.shortMessage ?? signIn.error.message}</span>
      )}
    </p>
  );
}
