import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';

/** The limits of the structure. */
export const structureLimits = {
  /** Arrows between the rooms of each of these folders. */
  arrows: { 'src/server': 30, 'src/react': 35, 'src/sandbox': 50 },
  /** Files directly in one folder below these. */
  files: { below: ['src', 'server-example', 'test/support'], most: 25 },
  /** Lines of one function below these, from its first to its last line, comments included. */
  functionLines: {
    below: ['src', 'server-example/src', 'server-example/storefront/src'],
    most: 80,
  },
  /** Lines of one source file below these. */
  fileLines: { below: ['src', 'server-example', 'test/support', 'scripts'], most: 300 },
};

const isSource = (file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.d\.m?ts$/.test(file);

/**
 * Measures the structure of a project against {@link structureLimits}.
 *
 * A room is a file or subfolder directly in a folder. An arrow leads from one room to another if at least
 * one import does, whether static, dynamic or of a type only.
 *
 * @param root - The project's folder.
 * @returns The arrows by folder, each as `from -> to` with its imports, and a line for each excess.
 */
export function measureStructure(root, limits = structureLimits) {
  const arrows = Object.fromEntries(
    Object.keys(limits.arrows).map((folder) => [folder, findArrows(root, folder)]),
  );
  const excesses = [
    ...Object.entries(limits.arrows)
      .filter(([folder, most]) => arrows[folder].size > most)
      .map(
        ([folder, most]) => `${folder} has ${arrows[folder].size} arrows; the limit is ${most}.`,
      ),
    ...limits.files.below.flatMap((folder) =>
      findLargeFolders(root, folder, limits.files.most).map(
        ({ path, count }) => `${path} has ${count} files; the limit is ${limits.files.most}.`,
      ),
    ),
    ...limits.functionLines.below.flatMap((folder) =>
      findLongFunctions(root, folder, limits.functionLines.most),
    ),
    ...limits.fileLines.below.flatMap((folder) =>
      findLongFiles(root, folder, limits.fileLines.most),
    ),
  ];
  return { arrows, excesses };
}

/** Lists the folders below one, itself included, with the files directly in each. */
function listFolders(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const subfolders = entries.filter(
    (entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name),
  );
  return [
    { path: folder, files: entries.filter((entry) => entry.isFile()).map(({ name }) => name) },
    ...subfolders.flatMap(({ name }) => listFolders(root, `${folder}/${name}`)),
  ];
}

const listSources = (root, folder) =>
  listFolders(root, folder).flatMap(({ path, files }) =>
    files.filter(isSource).map((file) => `${path}/${file}`),
  );

const findLargeFolders = (root, folder, most) =>
  listFolders(root, folder)
    .map(({ path, files }) => ({ path, count: files.length }))
    .filter(({ count }) => count > most);

function findLongFiles(root, folder, most) {
  return listSources(root, folder).flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
    return lines > most ? `${file} has ${lines} lines; the limit is ${most}.` : [];
  });
}

function findLongFunctions(root, folder, most) {
  return listSources(root, folder).flatMap((file) => {
    const { text, program } = parseFile(root, file);
    const lineAt = (offset) => text.slice(0, offset).split('\n').length;
    const found = [];
    walkNodes(program, (node, name) => {
      if (!node.body || !/Function/.test(node.type)) return;
      const first = lineAt(node.start);
      const lines = lineAt(node.end) - first + 1;
      if (lines > most)
        found.push(
          `${file}:${first} ${name ?? 'a function'} has ${lines} lines; the limit is ${most}.`,
        );
    });
    return found;
  });
}

/** Calls `visit` with each node of a syntax tree, and the name that it is declared or assigned by. */
function walkNodes(node, visit, name) {
  if (Array.isArray(node)) for (const each of node) walkNodes(each, visit, name);
  if (typeof node?.type !== 'string') return;
  const inner = node.id?.name ?? node.key?.name ?? (/Function/.test(node.type) ? name : undefined);
  visit(node, inner);
  for (const [key, value] of Object.entries(node))
    if (value && typeof value === 'object')
      walkNodes(value, visit, ['init', 'value', 'declaration'].includes(key) ? inner : undefined);
}

function findArrows(root, folder) {
  const getRoom = (file) => file.slice(folder.length + 1).split('/')[0];
  const arrows = new Map();
  for (const file of listSources(root, folder))
    for (const target of findImportedFiles(root, file)) {
      if (!target.startsWith(`${folder}/`) || getRoom(target) === getRoom(file)) continue;
      const arrow = `${getRoom(file)} -> ${getRoom(target)}`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), `${file} imports ${target}`]);
    }
  return new Map([...arrows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the source files that a file imports by a relative path. */
function findImportedFiles(root, file) {
  const { text, program, module } = parseFile(root, file);
  const unquote = ({ start, end }) => text.slice(start + 1, end - 1);
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...module.dynamicImports.map(({ moduleRequest }) => unquote(moduleRequest)),
  ];
  walkNodes(program, (node) => {
    if (node.type === 'TSImportType') names.push(unquote(node.source ?? node.argument));
  });
  return new Set(
    names
      .filter((name) => name.startsWith('.'))
      .flatMap((name) => resolveSource(root, join(dirname(file), name)) ?? []),
  );
}

function resolveSource(root, path) {
  const stem = normalize(path)
    .replaceAll('\\', '/')
    .replace(/\.jsx?$/, '');
  return ['.ts', '.tsx', '/index.ts']
    .map((ending) => `${stem}${ending}`)
    .find((file) => existsSync(join(root, file)));
}

function parseFile(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, module, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return { text, program, module };
}
