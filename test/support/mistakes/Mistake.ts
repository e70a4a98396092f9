/** One mistake in the use of the package, and the message that the developer reads within 10 seconds. */
export interface Mistake {
  readonly number: number;
  readonly mistake: string;
  /** The place of the message. Only development builds print messages to the page's console. */
  readonly where:
    | 'error at start'
    | 'build log'
    | 'log of the server'
    | 'log of the sandbox'
    | 'page of the sandbox'
    | 'console of the page'
    | 'log of the server, then the console of the page';
  /** The full message, without stack traces. `{name}` is a placeholder for a value that varies, such as a port. */
  readonly message: string;
  /** Whether the message names the cause. */
  readonly namesCause: boolean;
  /** Whether the message names the fix. */
  readonly namesCure: boolean;
  /** The reason why the message does not name both. */
  readonly because?: string;
}

/** Creates a row whose message names cause and fix. */
export const createMistake = (
  number: number,
  mistake: string,
  where: Mistake['where'],
  message: string,
): Mistake => ({ number, mistake, where, message, namesCause: true, namesCure: true });
