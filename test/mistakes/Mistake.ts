/** A mistake in the use of the package, and the message that tells the developer about it. */
export interface Mistake {
  readonly number: number;
  readonly mistake: string;
  /** Where the message appears. Most messages on a page's console appear only in development builds. */
  readonly where:
    | 'error at start'
    | 'build log'
    | 'log of the server'
    | 'log of the sandbox'
    | 'page of the sandbox'
    | 'console of the page'
    | 'log of the server, then the console of the page';
  /** The full message without stack traces. `{name}` stands for a value that differs between runs, such as a port. */
  readonly message: string;
}

export const createMistake = (
  number: number,
  mistake: string,
  where: Mistake['where'],
  message: string,
): Mistake => ({ number, mistake, where, message });
