import type { Widget } from '@partner-ramp/react/protocol';

type Values = Readonly<Record<string, string>>;

/** A widget URL, and the widget that it should open. */
export interface Opening {
  readonly widget: Widget;
  readonly url: string;
}

/** Opens a URL. Returns '' if the service shows the expected widget, otherwise a description of the problem. */
async function findProblem({ url, widget }: Opening): Promise<string> {
  const framed = url.includes('windowOpen=1');
  const response = await fetch(url, framed ? { headers: { 'Sec-Fetch-Dest': 'iframe' } } : {});
  const page = await response.text();
  if (response.status !== 200) {
    const words = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    return `${response.status} ${words.slice(0, 400)}\n${url}`;
  }
  return page.includes(`"widget":"${widget}"`) ? '' : `another widget was opened\n${url}`;
}

/** Opens all URLs one after the other. Returns a description for each URL that has a problem. */
export async function openUrls(openings: readonly Opening[]): Promise<string[]> {
  const problems: string[] = [];
  for (const opening of openings) {
    const problem = await findProblem(opening);
    if (problem) problems.push(problem);
  }
  return problems;
}

/** Changes a digit of the nonce in each URL, which makes the signature invalid. Returns the response statuses. */
export async function requestForgedUrls(openings: readonly Opening[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { url } of openings) {
    const forged = url.replace(
      /([?&]nonce=)(\d)/,
      (_, name, digit) => `${name}${(Number(digit) % 9) + 1}`,
    );
    const response = await fetch(forged);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

/**
 * Builds the widget URL as a page does, from the parameters in the response of a backend. Each value is URL-encoded
 * exactly once.
 */
export function buildPageUrl(widgetUrl: string, unsigned: Values, signed: Values): string {
  const items = Object.entries({ ...unsigned, ...signed, windowOpen: '1' })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${widgetUrl}/home?${items.join('&')}`;
}
