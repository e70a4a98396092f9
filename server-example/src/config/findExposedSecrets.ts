/** Variables with these prefixes are built into the page by the bundlers that know them. */
const PUBLIC = /^(?:VITE|REACT_APP|GATSBY|(?:[A-Z]+_)?PUBLIC)_/;

const SECRETS = [
  'RAMP_SECRET_KEY',
  'RAMP_API_PRIVATE_KEY',
  'DATABASE_URL',
  'OPERATOR_PASSWORD',
  'SESSION_SECRET',
] as const;

/**
 * One line for each variable that would carry a secret into the page. It names the variable and
 * never its value.
 */
export function findExposedSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(environment)
    .filter((name) => PUBLIC.test(name))
    .flatMap((name) =>
      SECRETS.filter((secret) => containsSecret(environment[name], environment[secret])).map(
        (secret) =>
          `${name} holds the value of ${secret}, and what begins with ${PUBLIC.exec(name)?.[0]} is built into the page: remove it, and have the key replaced if a build was ever published.`,
      ),
    );
}

function containsSecret(value = '', secret = ''): boolean {
  const core = normalizeSecret(secret);
  return core !== '' && normalizeSecret(value).includes(core);
}

/** A key without what it may be written with or without: its frame, and its line breaks in any form. */
const normalizeSecret = (text: string): string => text.replace(/-----[A-Z ]+-----|\\n|\s/g, '');
