/** The prefixes of variables that bundlers build into the page. */
const PUBLIC = /^(?:VITE|REACT_APP|GATSBY|(?:[A-Z]+_)?PUBLIC)_/;

const SECRETS = [
  'RAMP_SECRET_KEY',
  'RAMP_API_PRIVATE_KEY',
  'DATABASE_URL',
  'OPERATOR_PASSWORD',
  'SESSION_SECRET',
] as const;

/**
 * Returns one error line for each variable that would expose a secret in the page. The line names the variable but
 * does not contain its value.
 */
export function findExposedSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(environment)
    .filter((name) => PUBLIC.test(name))
    .flatMap((name) =>
      SECRETS.filter((secret) => containsSecret(environment[name], environment[secret])).map(
        (secret) =>
          `${name} holds the value of ${secret}, and variables that begin with ${PUBLIC.exec(name)?.[0]} are built into the page. Remove it, and have the key replaced if a build was ever published.`,
      ),
    );
}

function containsSecret(value = '', secret = ''): boolean {
  const core = normalizeSecret(secret);
  return core !== '' && normalizeSecret(value).includes(core);
}

/**
 * Removes the parts of a key that can be left out or written differently: the BEGIN and END lines, and the line breaks,
 * which may also be written as `\n`.
 */
const normalizeSecret = (text: string): string => text.replace(/-----[A-Z ]+-----|\\n|\s/g, '');
