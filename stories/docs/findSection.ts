/**
 * What the README says under a bold heading at the start of a paragraph, or under a heading of its own:
 * told once, shown here too.
 */
export function findSection(markdown: string, title: string): string {
  const [, after] = markdown.split(new RegExp(`^(?:#+ ${title}$|\\*\\*${title}\\.\\*\\*)`, 'm'));
  if (after === undefined) throw new Error(`The README has nothing on "${title}".`);
  return (after.split(/^(?:#+ |\*\*[A-Z])/m)[0] ?? '').trim();
}
