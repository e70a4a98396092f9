import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../../scripts/install.mjs';

const isNode = (value) => typeof value?.type === 'string';

/** Yields a node and everything in it, in the order of the source. */
function* walk(node, parents = []) {
  yield { node, parents };
  const inner = [node, ...parents];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* walk(child, inner);
}

/** Returns the name of an identifier or a key, and of the last part of `a.b`. */
const nameOf = (node) =>
  node?.type === 'MemberExpression' ? nameOf(node.property) : (node?.name ?? node?.value);

/** Returns the name that a function has where it is defined. */
function functionName(node, [parent]) {
  if (!/Function/.test(node.type)) return undefined;
  if (node.id) return nameOf(node.id);
  if (parent?.type === 'VariableDeclarator') return nameOf(parent.id);
  return parent && 'key' in parent ? nameOf(parent.key) : undefined;
}

/** A part of a source file that can be searched and changed. */
class Part {
  constructor(source, node, parents) {
    Object.assign(this, { source, node, parents });
  }

  get text() {
    return this.source.code.slice(this.node.start, this.node.end);
  }

  /** Returns the only inner part that fulfils a condition, or the one at `index`. */
  find(what, condition, index) {
    const found = [...walk(this.node, this.parents)].filter(({ node, parents }) =>
      condition(node, parents),
    );
    if (found.length === 0 || (index === undefined && found.length > 1))
      throw new Error(`${this.source.file} has ${found.length} × ${what}, expected one.`);
    const { node, parents } = found.at(index ?? 0);
    return new Part(this.source, node, parents);
  }

  /** Returns the function, method or function-valued property of a name. */
  in(name, index) {
    return this.find(
      `function ${name}`,
      (node, parents) => functionName(node, parents) === name && node.body,
      index,
    );
  }

  /** Returns a call of `name(…)` or `anything.name(…)`. */
  call(name, index) {
    return this.find(
      `call of ${name}`,
      (node) => node.type === 'CallExpression' && nameOf(node.callee) === name,
      index,
    );
  }

  /** Returns the condition of an `if`, a loop or a conditional expression that mentions a name. */
  condition(name, index) {
    return this.find(
      `condition with ${name}`,
      (node, [parent]) => parent?.test === node && mentions(node, name),
      index,
    );
  }

  /**
   * Returns the comparison or calculation with this operator that mentions a name. If there are several, `index`
   * selects one, counted in the order of the source, an outer one before those inside it.
   */
  operation(operator, name, index) {
    return this.find(
      `${operator} with ${name}`,
      (node) => 'operator' in node && node.operator === operator && mentions(node, name),
      index,
    );
  }

  /** Returns the value that a constant, variable or property gets. */
  value(name, index) {
    const isValue = (node, [parent]) =>
      (parent?.type === 'VariableDeclarator' &&
        parent.init === node &&
        nameOf(parent.id) === name) ||
      (parent?.type === 'Property' && parent.value === node && nameOf(parent.key) === name) ||
      (parent?.type === 'AssignmentExpression' &&
        parent.right === node &&
        nameOf(parent.left) === name);
    return this.find(`value of ${name}`, isValue, index);
  }

  argument(index) {
    return new Part(this.source, this.node.arguments.at(index), [this.node, ...this.parents]);
  }

  get left() {
    return new Part(this.source, this.node.left, [this.node, ...this.parents]);
  }

  get right() {
    return new Part(this.source, this.node.right, [this.node, ...this.parents]);
  }

  /** Returns the body of the `catch` or `finally` of the only `try` in this part, or of the one at `index`. */
  handler(name, index) {
    const tried = this.find('try', ({ type }) => type === 'TryStatement', index);
    const block = name === 'catch' ? tried.node.handler.body : tried.node.finalizer;
    return new Part(this.source, block, [tried.node, ...tried.parents]);
  }

  /** Returns the innermost statement around this part. */
  get statement() {
    const index = this.parents.findIndex(({ type }) => /Statement$|Declaration$/.test(type));
    return new Part(this.source, this.parents[index], this.parents.slice(index + 1));
  }

  replace(text) {
    this.source.edits.push({ ...this.node, text });
  }

  remove() {
    this.replace('{}');
  }

  before(text) {
    this.replace(`${text}\n${this.text}`);
  }

  after(text) {
    this.replace(`${this.text}\n${text}`);
  }
}

/** Returns whether a part of an expression is an identifier, a property or a text with this name. */
const mentions = (node, name) =>
  [...walk(node)].some(({ node }) => node.name === name || node.value === name);

/**
 * Creates the Vite plugin that plants a defect: it finds the place in the syntax tree of one file, so that the defect
 * survives other changes of the file.
 */
export function plantDefect({ id, file, plant }) {
  const path = join(root, file);
  let isPlanted = false;
  return {
    name: `defect-${id}`,
    enforce: 'pre',
    transform(code, name) {
      if (name.split('?')[0] !== path) return undefined;
      const { program, errors } = parseSync(path, code);
      if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
      const source = { file, code, edits: [] };
      plant(new Part(source, program, []));
      if (source.edits.length === 0) throw new Error(`The defect ${id} changes nothing.`);
      isPlanted = true;
      return source.edits
        .sort((a, b) => b.start - a.start)
        .reduce(
          (text, { start, end, text: to }) => text.slice(0, start) + to + text.slice(end),
          code,
        );
    },
    buildEnd(error) {
      if (!error && !isPlanted)
        throw new Error(`The simulation does not load ${file}, so ${id} is not planted.`);
    },
  };
}
