/** What a scan for keywords skips: comments, text, quoted names and the dollar-quoted text of PostgreSQL. */
const SKIPPED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/g;

/** A statement that begins or ends a transaction. `rollback to` a savepoint does neither. */
const CONTROL =
  /^(?:begin|start\s+transaction|commit|end|abort|rollback(?!\s+(?:(?:work|transaction)\s+)?to\b)|prepare\s+transaction)\b/i;

/** Matches nearly every statement, so that few need a scan. */
const ORDINARY = /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i;

/**
 * Returns whether SQL begins or ends a transaction, in any of its statements. Neither PostgreSQL nor SQLite lets a
 * function or a trigger do that, so a `create` with such words in its body does not count.
 */
export function hasTransactionControl(text: string): boolean {
  if (ORDINARY.test(text)) return false;
  for (const statement of text.replace(SKIPPED, ' ').split(';')) {
    const start = statement.trimStart();
    if (CONTROL.test(start)) return true;
    if (/^create\b/i.test(start)) return false;
  }
  return false;
}
