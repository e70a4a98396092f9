// Takes the place of node:async_hooks in the simulation. Once a process uses an AsyncLocalStorage, Node.js 20 calls hooks
// for every promise. Without the storage, a SQLite transaction inside another one is not refused at once: it waits for
// the other one until its time limit, which breaks invariants too.
export class AsyncLocalStorage<T> {
  getStore(): T | undefined {
    return undefined;
  }

  run<Result>(_store: T, work: () => Result): Result {
    return work();
  }
}
