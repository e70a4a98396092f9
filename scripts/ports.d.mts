export const host: string;

export function parsePort(name: string, fallback: number): number;

export function assertPortFree(
  port: number,
  options: { readonly wantedBy: string; readonly variable: string },
): Promise<void>;

export function findFreePort(): Promise<number>;
