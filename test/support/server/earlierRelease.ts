import recording from '../../vectors/earlierRelease.json' with { type: 'json' };

/** A request of a page below `api`, and the response of a handler. */
export interface RecordedExchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** JSON, or the text of an event stream. */
    readonly body: unknown;
  };
}

/** What the page and the handler of an earlier commit sent each other. `scripts/recordRelease.ts` writes it. */
export interface Recording {
  readonly commit: string;
  readonly exchanges: readonly RecordedExchange[];
}

export const { exchanges } = recording as unknown as Recording;
