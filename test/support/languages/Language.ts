/** A command and its arguments. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A language with an example backend in `examples/`. */
export interface Language {
  readonly name: string;
  /** Returns why the tests cannot run on this machine, or undefined. */
  missing(): string | undefined;
  /** The checks of the example itself. */
  readonly checks: readonly Command[];
  /** Returns a command that reads cases as JSON and writes `{ urls, headers }`. `temp`: a directory for builds. */
  signCases(temp: string): Promise<Command>;
  /** Returns the command of the backend, which listens on `port` of loopback. */
  backend(port: number, temp: string): Promise<Command>;
}
