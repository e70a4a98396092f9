import { EventEmitter } from 'node:events';

/** A client of `pg` whose queries end when the test says so. */
export class FakeClient extends EventEmitter {
  readonly connection = new EventEmitter();
  ended = 0;
  readonly release = () => {};
  private settle: { resolve(): void; reject(error: Error): void }[] = [];

  query(...args: unknown[]): unknown {
    if (typeof args.at(-1) === 'function') return undefined;
    return new Promise<void>((resolve, reject) => this.settle.push({ resolve, reject }));
  }

  async end(): Promise<void> {
    this.ended++;
  }

  /** The server reports that a query is over: `I` idle, `T` in a transaction, `E` in a failed one. */
  ready(status: 'I' | 'T' | 'E'): void {
    this.connection.emit('readyForQuery', { status });
  }

  fail(error: Error): void {
    this.settle.shift()?.reject(error);
  }
}

/** A pool of `pg` with the next client, or the next errors, to connect with. */
export class FakePool extends EventEmitter {
  readonly client = new FakeClient();
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
