/** The address of a database with another application name, by which its connections are found. */
export function withApplicationName(target: string, name: string): string {
  if (!target.startsWith('postgres')) return target;
  const url = new URL(target);
  url.searchParams.set('application_name', name);
  return url.href;
}
