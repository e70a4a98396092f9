import {
  type CheckoutService,
  type NftService,
  ServiceError,
  type SignInService,
} from './CheckoutService.js';

/** The routes beside this page, for one session of either widget. */
export function httpService(session: string): CheckoutService & NftService & SignInService {
  return {
    quote: async (purchase: object, signal) =>
      (await post('/home/quote', { session, ...purchase }, signal)).quote,
    order: async (request: object) => (await post('/home/orders', { session, ...request })).order,
    progress: async (orderId) =>
      (await answer(fetch(`/home/orders/${encodeURIComponent(orderId)}`))).order,
    async signIn() {
      if (await isSignedIn()) return true;
      await fetch('/home/sign-in', { method: 'POST' });
      return isSignedIn();
    },
  };
}

const isSignedIn = async (): Promise<boolean> => (await answer(fetch('/home/sign-in'))).isSignedIn;

function post(path: string, body: object, signal?: AbortSignal) {
  return answer(
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
}

async function answer(request: Promise<Response>) {
  const response = await request.catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (!response || !body) throw new ServiceError(0);
  if (!response.ok) throw new ServiceError(response.status, body.error?.issues);
  return body;
}
