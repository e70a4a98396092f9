export function formatChangelog(changelog: string, date: string): string;
