/** One server-sent event, as far as we need it. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from a body, one by one. By fetch and not by `EventSource`, which takes no
 * headers.
 *
 * @param onSign - Called with whatever arrives: a sign that the connection is alive.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onSign();
      text += decoder.decode(value, { stream: true });
      // The last part may be unfinished.
      const parts = text.split(/\r?\n\r?\n/);
      text = parts.pop() ?? '';
      for (const part of parts) {
        const event = parseEvent(part);
        if (event.data) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(part: string): StreamEvent {
  const lines = part.split(/\r?\n/);
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1)] : []));
  const last = (name: string) => values(name).at(-1)?.trim() ?? '';
  const data = values('data').map((value) => value.replace(/^ /, ''));
  return { id: last('id'), event: last('event') || 'message', data: data.join('\n') };
}
