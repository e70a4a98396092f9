/** One mistake in the use of the package, and the message that the developer reads within 10 seconds. */
export interface Mistake {
  readonly number: number;
  readonly mistake: string;
  /** Where the developer reads the message. Messages of the page's console come from development builds. */
  readonly where:
    | 'error at start'
    | 'build log'
    | 'log of the server'
    | 'log of the sandbox'
    | 'page of the sandbox'
    | 'console of the page'
    | 'log of the server, then the console of the page';
  /** In full, without stack traces. `{name}` is a value that differs each time, such as a port. */
  readonly message: string;
  /** Whether a reader sees what is wrong. */
  readonly namesCause: boolean;
  /** Whether a reader sees what to change. */
  readonly namesCure: boolean;
  /** Why the message does not name both. */
  readonly because?: string;
}

/** Creates a row whose message names cause and cure. */
export const createMistake = (
  number: number,
  mistake: string,
  where: Mistake['where'],
  message: string,
): Mistake => ({ number, mistake, where, message, namesCause: true, namesCure: true });
