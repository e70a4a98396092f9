// npm run docs:api: writes docs/api from the declarations of the last build. With --check it writes nothing, and
// fails if docs/api is out of date.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFolder, root } from '../install.mjs';
import { correctAnchors } from './anchors.mjs';
import { joinUndescribedRows, nameInheritedMethods, nameParameters } from './condense.mjs';
import { findSections, linkSections } from './linkSections.mjs';

const here = join(root, 'scripts', 'reference');
const target = join(root, 'docs', 'api');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entries of the package: the declarations, the name of the page in docs/api, and the path in an import. */
const entries = Object.entries(manifest.exports)
  .filter(([path, { types }]) => types && !path.endsWith('.css'))
  .map(([path, { types }]) => ({
    // One language stands for all of `./messages/*`, because all have the same type.
    declarations: join(root, types.default.replace('*', 'en')),
    page: path === '.' ? 'react' : path.replace('/*', '').slice(2).replaceAll('/', '-'),
    path: path.replace('.', manifest.name),
  }));

const tables = Object.fromEntries(
  ['parameters', 'interfaceProperties', 'classProperties', 'typeAliasProperties']
    .concat(['propertyMembers', 'typeDeclaration', 'index'])
    .map((name) => [`${name}Format`, 'table']),
);

/**
 * Writes the API reference of the last build to a folder, one page for each entry. Prints a message for each
 * undocumented export and each broken link. Returns false if there are any.
 */
async function createReference(folder) {
  // Import the packages here, not at the top of the file, because this script installs them first.
  const { Application, Comment, ReflectionKind } = await import('typedoc');
  const { MarkdownPageEvent } = await import('typedoc-plugin-markdown');
  const app = await Application.bootstrapWithPlugins({
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
    entryPoints: entries.map(({ declarations }) => declarations),
    tsconfig: join(here, 'tsconfig.json'),
    outputs: [{ name: 'markdown', path: folder }],
    logLevel: 'Warn',
    validation: { notDocumented: true, invalidLink: true, notExported: false },
    requiredToBeDocumented: ['Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Method'],
    disableSources: true,
    excludeExternals: true,
    readme: 'none',
    sort: ['alphabetical'],
    sortEntryPoints: false,
    groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', '*'],
    outputFileStrategy: 'modules',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true },
    pageTitleTemplates: {
      index: 'API reference',
      module: ({ name }) => entries.find(({ page }) => page === name)?.path ?? name,
    },
    ...tables,
  });
  const sections = findSections(
    readFileSync(join(root, 'docs', 'internal', 'service-interface.md'), 'utf8'),
  );
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    const contents = page.url === 'README.md' ? fillIndex(page.contents) : page.contents;
    page.contents = `<!-- Written by npm run docs:api. -->\n\n${joinUndescribedRows(linkSections(contents, sections))}`;
  });
  const project = await app.convert();
  if (!project) return false;
  for (const module of project.children) module.name = findPage(module.name);
  app.validate(project);
  // TypeDoc logs the findings of its validation as warnings, so a warning is a failure too.
  if (app.logger.hasErrors() || app.logger.hasWarnings()) return false;
  nameInheritedMethods(project, { Comment, ReflectionKind });
  nameParameters(project, { ReflectionKind });
  await app.generateOutputs(project);
  correctAnchors(folder);
  return !app.logger.hasErrors();
}

/** Names each entry by its import path, and explains which document the section numbers in the comments refer to. */
function fillIndex(contents) {
  const named = entries.reduce(
    (text, { page, path }) => text.replace(`[${page}](${page}.md)`, `[\`${path}\`](${page}.md)`),
    contents,
  );
  const sections =
    'Section numbers refer to the [service interface](../internal/service-interface.md).';
  return named
    .replace('## Modules', `${sections}\n\n## Entries`)
    .replace('| Module |', '| Entry |');
}

/** Returns the name of the page for a module. TypeDoc names the module after its file. */
function findPage(module) {
  const files = [`${module}.d.ts`, `${module}/index.d.ts`].map((file) => join(root, 'dist', file));
  return entries.find(({ declarations }) => files.includes(declarations)).page;
}

/** Returns whether docs/api is up to date. */
async function check() {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-api-'));
  try {
    if (!(await createReference(folder))) return false;
    if (JSON.stringify(readPages(folder)) === JSON.stringify(readPages(target))) return true;
    process.stderr.write('docs/api is out of date. Run npm run docs:api.\n');
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readPages(folder) {
  const names = readdirSync(folder).sort();
  return names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

installFolder(here);
const isCheck = process.argv.includes('--check');
if (!(await (isCheck ? check() : createReference(target)))) process.exitCode = 1;
