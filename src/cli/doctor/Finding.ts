/** A check of `partner-ramp doctor`. The names are stable, because `--json` prints them. */
type Check =
  | 'environment'
  | 'versions'
  | 'service'
  | 'clock'
  | 'keys'
  | 'prices'
  | 'orders'
  | 'widget'
  | 'backend'
  | 'origin'
  | 'webhook'
  | 'store'
  | 'tracker';

/** The result of one check. Its texts never contain a secret. */
export interface Finding {
  readonly check: Check;
  /** `skipped` if the check could not run, because a value or an earlier check is missing. */
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  /** What was found, as one sentence. */
  readonly message: string;
  /** What to do about it, as one sentence. Every warning and every problem has a cure. */
  readonly cure?: string;
}

export const ok = (check: Check, message: string): Finding => ({ check, status: 'ok', message });

export const skipped = (check: Check, message: string): Finding => ({
  check,
  status: 'skipped',
  message,
});

export const warning = (check: Check, message: string, cure: string): Finding => ({
  check,
  status: 'warning',
  message,
  cure,
});

export const problem = (check: Check, message: string, cure: string): Finding => ({
  check,
  status: 'problem',
  message,
  cure,
});

const STATUS_WIDTH = 'skipped'.length;
const CHECK_WIDTH = 'environment'.length;

/** Formats the findings for a terminal: one line for each, then one line with the totals. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ check, status, message, cure }) =>
      `${status.padEnd(STATUS_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${message}${cure ? ` ${cure}` : ''}`,
  );
  return `${[...lines, '', summarize(findings)].join('\n')}\n`;
}

function summarize(findings: readonly Finding[]): string {
  const { problems, warnings } = countFindings(findings);
  if (problems + warnings === 0) return 'No problems found.';
  const format = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${format(problems, 'problem')}, ${format(warnings, 'warning')}.`;
}

/** Formats the findings as JSON, for programs. */
export const formatJson = (findings: readonly Finding[]): string =>
  `${JSON.stringify({ ...countFindings(findings), findings }, null, 2)}\n`;

export function countFindings(findings: readonly Finding[]) {
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  return { problems: count('problem'), warnings: count('warning') };
}
