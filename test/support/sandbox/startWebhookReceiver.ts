import { startSite } from '../shop/startSite.js';

interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Starts a backend that accepts all webhooks and keeps them, without a check. */
export async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  const site = await startSite(() => async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), text: await request.text() });
    return new Response(null, { status: 204 });
  });
  return { url: `${site.origin}/webhook`, received, close: () => site.close() };
}
