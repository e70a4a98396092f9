export interface SoakOptions {
  minutes: number;
  rate: number;
  streams: number;
  addresses: number;
}

export interface PlannedMinute {
  minute: number;
  /** The sandbox fails during its first 45 seconds. */
  isFault: boolean;
  /** The shop is stopped and started within it. */
  isStop: boolean;
}

export function parseArguments(argv: readonly string[]): SoakOptions;
export function planMinutes(minutes: number): PlannedMinute[];
