/** The reason why a webhook was not accepted, and what to check. */
interface WebhookFailure {
  readonly what: string;
  readonly hint: string;
}

const hints: Readonly<Record<number, string>> = {
  401: 'Check that createWebhookVerifier has this address as url, and the webhookPublicKey of this run of the sandbox. The reason of its error names the failed check.',
  404: 'Check that the webhook route is mounted at this path. createRampHandler serves it at {basePath}/webhook if it has the option webhooks.',
  405: 'The sandbox sends POST requests.',
};

/** Returns why a response does not accept the webhook, or `undefined` for a status of 2xx. */
export function findStatusFailure(status: number): WebhookFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const known = hints[status === 403 ? 401 : status];
  const redirect = status >= 300 && status < 400 && 'Redirects are not followed.';
  return { what: `status ${status}`, hint: known || redirect || "See the backend's log." };
}

/** Returns why the webhook got no response, from the error that `fetch` rejected with. */
export function findConnectionFailure(error: unknown): WebhookFailure {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { what: 'timed out', hint: 'Respond first, then process the webhook.' };
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return {
    what: code === ' (ECONNREFUSED)' ? 'connection refused' : `no response${code}`,
    hint: 'Check that the backend is running at this address.',
  };
}
