/** A command to run in the folder `cwd`. `env` is added to the environment of this process. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A programming language with an example backend in `examples/`. */
export interface Language {
  readonly name: string;
  /** Returns why the tests cannot run on this machine, for example a missing compiler. Otherwise undefined. */
  missing(): string | undefined;
  /** Commands that check the example itself, such as a linter. */
  readonly checks: readonly Command[];
  /**
   * Returns a command that signs cases: it reads them as JSON from stdin and writes `{ urls, headers }` to stdout.
   *
   * @param temp - A folder for build results.
   */
  signCases(temp: string): Promise<Command>;
  /** Returns the command that starts the example backend on `port` of loopback. */
  backend(port: number, temp: string): Promise<Command>;
}
