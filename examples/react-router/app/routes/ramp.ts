import { handler, type User } from '../ramp.server';

/** Replace this with your session. Return undefined if the user is signed out. */
async function getUser(): Promise<User | undefined> {
  return {
    id: 'demo',
    wallets: {
      evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
      bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      solana: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
      tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    },
  };
}

const handle = async ({ request }: { request: Request }) => handler(request, await getUser());

export { handle as action, handle as loader };
