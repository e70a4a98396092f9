import { EventEmitter } from 'node:events';

/** A `pg` client whose queries end when the test ends them. */
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

  /** Emits the server's ReadyForQuery: `I` idle, `T` in a transaction, `E` in a failed transaction. */
  ready(status: 'I' | 'T' | 'E'): void {
    this.connection.emit('readyForQuery', { status });
  }

  fail(error: Error): void {
    this.settle.shift()?.reject(error);
  }
}

/** A `pg` pool whose `connect` returns the given client or throws the given errors. */
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
