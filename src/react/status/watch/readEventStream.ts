/** One server-sent event. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from the body of a fetch, one by one. `EventSource` cannot send headers.
 *
 * @param onBytes - Called when bytes arrive, which shows that the connection is alive.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      text += decoder.decode(value, { stream: true });
      // The last part may be incomplete.
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
  const readValues = (name: string) =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
    );
  return {
    id: readValues('id').at(-1) ?? '',
    event: readValues('event').at(-1) || 'message',
    data: readValues('data').join('\n'),
  };
}
