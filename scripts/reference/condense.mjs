/**
 * Removes the methods that a class or an interface inherits from another type in the reference, and lists their names
 * in its description. They are documented with the type that declares them.
 */
export function nameInheritedMethods(project, { Comment, ReflectionKind }) {
  for (const type of project.getReflectionsByKind(ReflectionKind.ClassOrInterface)) {
    const names = new Map();
    for (const member of [...(type.children ?? [])]) {
      const [origin] = member.inheritedFrom?.name.split('.') ?? [];
      const target = origin && findType(project, ReflectionKind, origin);
      if (!member.signatures || !target) continue;
      names.set(target, [...(names.get(target) ?? []), member.name]);
      project.removeReflection(member);
      for (const group of type.groups ?? [])
        group.children = group.children.filter((other) => other !== member);
    }
    type.groups = type.groups?.filter(({ children }) => children.length > 0);
    for (const [target, methods] of names) {
      type.comment ??= new Comment();
      type.comment.summary.push(
        { kind: 'text', text: '\n\nThe methods of ' },
        { kind: 'inline-tag', tag: '@link', text: target.name, target },
        { kind: 'text', text: `: ${methods.map((name) => `\`${name}()\``).join(', ')}.` },
      );
    }
  }
}

const findType = (project, { ClassOrInterface }, name) =>
  project.getReflectionsByKind(ClassOrInterface).find((type) => type.name === name);

/** Matches a table row without a description. The groups are its first cell and the cells between. */
const undescribed = /^\| (.+?) \| (.+) \| - \|$/;

/**
 * Joins the undescribed table rows that have the same type, because a name and a type alone do not need a separate row.
 */
export function joinUndescribedRows(text) {
  return text.replace(/(?:^\|.*\|\n)+/gm, (table) => {
    const rows = table.trimEnd().split('\n');
    const names = new Map();
    for (const row of rows) {
      const [, name, type] = undescribed.exec(row) ?? [];
      if (name) names.set(type, [...(names.get(type) ?? []), name]);
    }
    const described = rows.filter((row) => !undescribed.test(row));
    const joined = [...names].map(([type, list]) => `| ${list.join(', ')} | ${type} | |`);
    return `${[...described, ...joined].join('\n')}\n`;
  });
}

/** Names each destructured parameter after the last word of its type. */
export function nameParameters(project, { ReflectionKind }) {
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name !== '__namedParameters') continue;
    const [word = 'Options'] = /[A-Z][a-z]+$/.exec(parameter.type?.name ?? '') ?? [];
    parameter.name = word.toLowerCase();
  }
}
