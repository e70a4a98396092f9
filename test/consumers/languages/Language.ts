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
  /** Commands that check the example itself, such as a linter. A language may have none. */
  readonly checks: readonly Command[];
  /**
   * Returns a command that runs the tasks of signTasks.ts: it reads them as JSON from stdin, and writes the results.
   *
   * @param temp - A folder for build results.
   */
  signer(temp: string): Promise<Command>;
  /** The folder of the example backend. */
  readonly example: string;
  /**
   * Returns the command that starts a backend on `port` of loopback, with all that it needs to read the order list.
   *
   * @param folder - The example, or a copy of it.
   */
  backend(port: number, temp: string, folder: string): Promise<Command>;
}
