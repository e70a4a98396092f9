import {
  type CheckoutClient,
  CheckoutClientError,
  type NftCheckoutClient,
  type SignInClient,
} from './CheckoutClient.js';

/** Creates a client of the routes beside this page, for a session of either widget. */
export function createHttpClient(
  session: string,
): CheckoutClient & NftCheckoutClient & SignInClient {
  return {
    quote: async (purchase: object, signal) =>
      (await postJson('/home/quote', { session, ...purchase }, signal)).quote,
    order: async (request: object) =>
      (await postJson('/home/orders', { session, ...request })).order,
    progress: async (orderId) =>
      (await readJsonResponse(fetch(`/home/orders/${encodeURIComponent(orderId)}`))).order,
    async signIn() {
      if (await isSignedIn()) return true;
      await fetch('/home/sign-in', { method: 'POST' });
      return isSignedIn();
    },
  };
}

const isSignedIn = async (): Promise<boolean> =>
  (await readJsonResponse(fetch('/home/sign-in'))).isSignedIn;

function postJson(path: string, body: object, signal?: AbortSignal) {
  return readJsonResponse(
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
}

async function readJsonResponse(request: Promise<Response>) {
  const response = await request.catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (!response || !body) throw new CheckoutClientError(0);
  if (!response.ok) throw new CheckoutClientError(response.status, body.error?.issues);
  return body;
}
