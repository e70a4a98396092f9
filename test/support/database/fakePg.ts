import { EventEmitter } from 'node:events';

/** A fake of a `pg` client. A query with a promise stays pending until the test calls `fail`. */
export class FakeClient extends EventEmitter {
  readonly connection = new EventEmitter();
  ended = 0;
  readonly release = (_destroy?: boolean): void => {};
  private settle: { resolve(): void; reject(error: Error): void }[] = [];

  query(...args: unknown[]): unknown {
    if (typeof args.at(-1) === 'function') return undefined;
    return new Promise<void>((resolve, reject) => this.settle.push({ resolve, reject }));
  }

  async end(): Promise<void> {
    this.ended++;
  }

  /** Emits ReadyForQuery, the server's report after a query: `I` idle, `T` in a transaction, `E` in a failed one. */
  ready(status: 'I' | 'T' | 'E'): void {
    this.connection.emit('readyForQuery', { status });
  }

  fail(error: Error): void {
    this.settle.shift()?.reject(error);
  }
}

/** A fake of a `pg` pool. Its `connect` first throws each of `errors`, then returns `client`. */
export class FakePool extends EventEmitter {
  client = new FakeClient();
  errors: unknown[] = [];
  attempts: object[] = [];
  readonly options: Record<string, unknown>;

  constructor(config: object = {}) {
    super();
    this.options = { ...config };
  }

  async connect(): Promise<FakeClient> {
    this.attempts.push({ ...this.options });
    if (this.errors.length > 0) throw this.errors.shift();
    return this.client;
  }
}
