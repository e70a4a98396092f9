/** Why a webhook was not accepted, and what to check. */
interface WebhookFailure {
  readonly what: string;
  readonly hint: string;
}

const hints: Readonly<Record<number, string>> = {
  401: 'Does createWebhookVerifier have this address as url, and the webhookPublicKey of this run of the sandbox? Its error has a reason.',
  404: 'Is the webhook route mounted at this path? createRampHandler serves it at {basePath}/webhook if it has the option webhooks.',
  405: 'The sandbox sends POST requests.',
};

/** Returns why a response does not accept the webhook, or nothing for a status of 2xx. */
export function findStatusFailure(status: number): WebhookFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const known = hints[status === 403 ? 401 : status];
  const redirect = status >= 300 && status < 400 && 'Redirects are not followed.';
  return { what: `status ${status}`, hint: known || redirect || "See the backend's log." };
}

/** Returns why there is no response, from the error that `fetch` rejected with. */
export function findConnectionFailure(error: unknown): WebhookFailure {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { what: 'timed out', hint: 'Respond first, then do the work that the webhook starts.' };
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return {
    what: code === ' (ECONNREFUSED)' ? 'connection refused' : `no response${code}`,
    hint: 'Is the backend running at this address?',
  };
}
