/** A command's input and output. Tests replace them. */
export interface CommandIo {
  /** Writes text to standard output, without adding a line break. */
  readonly print: (text: string) => void;
  /** Writes text to standard error. */
  readonly warn: (text: string) => void;
  /** Reads all of standard input as UTF-8. */
  readonly readInput: () => Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder, to which paths in arguments are relative. */
  readonly cwd: string;
  /** Aborted by Ctrl-C and SIGTERM. A command that is still running then closes what it opened and resolves. */
  readonly signal: AbortSignal;
}

/** One command of `partner-ramp`, such as `partner-ramp keys`. */
export interface Command {
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** What `partner-ramp NAME --help` prints: usage, options and examples. */
  readonly help: string;
  /**
   * Runs the command, and resolves with its exit code: 0 if all went well, 1 if it found something wrong.
   *
   * @throws UsageError for wrong arguments, which becomes the exit code 2.
   */
  readonly run: (args: string[], io: CommandIo) => Promise<number>;
}

/** Wrong arguments. The message says what is wrong and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
