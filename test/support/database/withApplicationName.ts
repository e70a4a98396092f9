/** Returns the URL of a database with an application name that identifies its connections. */
export function withApplicationName(target: string, name: string): string {
  if (!target.startsWith('postgres')) return target;
  const url = new URL(target);
  url.searchParams.set('application_name', name);
  return url.href;
}
