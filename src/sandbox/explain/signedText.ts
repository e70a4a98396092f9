/** A key and a value that may take part in a signature. */
export interface SignedItem {
  readonly name: string;
  /** Decoded. */
  readonly value: string;
  /** The value as it was written in the query, still encoded. Absent for headers. */
  readonly raw?: string;
  readonly from: 'query' | 'header' | 'body';
}

/** The parts of a text before its items: `GET`, `api.example`, `/open/api/onramp/order`, `?`. Empty for a widget URL. */
export interface SignedTarget {
  readonly method: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly mark: string;
  /** Stands between the method, the host and the path. */
  readonly glue: string;
}

/** How a signer makes the text that it signs. The right one follows the interface, a mistake changes a part of it. */
export interface Recipe {
  readonly target: SignedTarget;
  /** In the order in which they were sent. */
  readonly items: readonly SignedItem[];
  readonly order: (items: readonly SignedItem[]) => readonly SignedItem[];
  readonly writeName: (item: SignedItem) => string;
  readonly writeValue: (item: SignedItem) => string;
  readonly equals: string;
  readonly separator: string;
  readonly before: string;
  readonly after: string;
  /** Takes the place of the items. */
  readonly instead?: string;
}

/** A piece of a signed text, so that a page can show keys, values and separators differently. */
export interface TextPart {
  readonly kind: 'target' | 'key' | 'value' | 'separator' | 'text';
  readonly text: string;
}

const byName = (a: SignedItem, b: SignedItem) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Sorts by key in ASCII order, as docs/service-interface.md sections 5.1 to 5.3 define. */
export const sortByName = (items: readonly SignedItem[]) => [...items].sort(byName);

export const noTarget: SignedTarget = {
  method: '',
  scheme: '',
  host: '',
  path: '',
  mark: '',
  glue: '',
};

/** The right recipe, for the items that are signed. `ext` of a widget URL is encoded first, other values are not. */
export function createRecipe(
  items: readonly SignedItem[],
  target: SignedTarget,
  writeValue: (item: SignedItem) => string,
): Recipe {
  const writeName = ({ name }: SignedItem) => name;
  const plain = { equals: '=', separator: '&', before: '', after: '' };
  return { target, items, order: sortByName, writeName, writeValue, ...plain };
}

const listTargetPieces = ({ method, scheme, host, path, mark, glue }: SignedTarget) => [
  method,
  glue,
  scheme,
  host,
  glue,
  path,
  mark,
];
const writeTarget = (target: SignedTarget) => listTargetPieces(target).join('');

function joinItems({ order, items, writeName, writeValue, equals, separator }: Recipe): string {
  let text = '';
  let isFirst = true;
  for (const item of order(items)) {
    if (!isFirst) text += separator;
    isFirst = false;
    text += writeName(item) + equals + writeValue(item);
  }
  return text;
}

const wrapItems = ({ target, before, instead, after }: Recipe, joined: string): string =>
  writeTarget(target) + before + (instead ?? joined) + after;

export const buildText = (recipe: Recipe): string =>
  wrapItems(recipe, recipe.instead ?? joinItems(recipe));

/**
 * Creates a `buildText` for a search. It joins the items only if the recipe before did not have the same ones, because
 * many mistakes change only what stands around them.
 */
export function createTextBuilder(): (recipe: Recipe) => string {
  let last: Recipe | undefined;
  let joined = '';
  const isSame = (recipe: Recipe, other: Recipe) =>
    recipe.items === other.items &&
    recipe.order === other.order &&
    recipe.writeName === other.writeName &&
    recipe.writeValue === other.writeValue &&
    recipe.equals === other.equals &&
    recipe.separator === other.separator;
  return (recipe) => {
    if (recipe.instead === undefined && (!last || !isSame(recipe, last))) {
      joined = joinItems(recipe);
      last = recipe;
    }
    return wrapItems(recipe, joined);
  };
}

/** Splits the text of a recipe into its parts. Joined, they are the text. */
export function listParts(recipe: Recipe): readonly TextPart[] {
  const { order, items, writeName, writeValue, equals, separator, instead } = recipe;
  const parts: TextPart[] = [];
  const add = (kind: TextPart['kind'], text: string) => {
    if (text !== '') parts.push({ kind, text });
  };
  for (const piece of listTargetPieces(recipe.target)) add('target', piece);
  add('text', recipe.before);
  if (instead !== undefined) add('text', instead);
  else
    order(items).forEach((item, at) => {
      if (at > 0) add('separator', separator);
      add('key', writeName(item));
      add('separator', equals);
      add('value', writeValue(item));
    });
  add('text', recipe.after);
  return parts;
}
