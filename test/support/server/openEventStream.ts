import { request } from 'node:http';
import { onTestFinished } from 'vitest';

/** Requests an event stream over HTTP, as a page does, and collects its text. */
export async function openEventStream(url: string, headers: Record<string, string> = {}) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: left.signal,
  });
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => {});
  return {
    response,
    reading,
    /** Waits until the stream has sent a text that contains `expected`. Returns the whole text. */
    async until(expected: string): Promise<string> {
      for (let waits = 0; !text.includes(expected); waits++) {
        if (waits > 2000) throw new Error(`The stream has no ${expected}, but: ${text}`);
        await new Promise((done) => setTimeout(done, 10));
      }
      return text;
    },
    leave: () => left.abort(),
  };
}

/** Sends a GET request, and closes the connection without waiting for the response. */
export const abandonRequest = (url: string, headers: Record<string, string> = {}) =>
  new Promise<void>((resolve) => {
    const sent = request(url, { headers, agent: false });
    sent.on('error', () => {});
    sent.on('close', () => resolve());
    sent.on('socket', (socket) => {
      const drop = () => sent.end(() => setTimeout(() => sent.destroy(), 20));
      if (socket.connecting) socket.on('connect', drop);
      else drop();
    });
  });
