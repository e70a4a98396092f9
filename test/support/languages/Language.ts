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
  /** The example's own checks. */
  readonly checks: readonly Command[];
  /** Reads cases as JSON and writes `{ urls, headers }`. `temp` is a directory for what is built. */
  signCases(temp: string): Promise<Command>;
  /** The backend, listening on `port` of loopback. */
  backend(port: number, temp: string): Promise<Command>;
}
