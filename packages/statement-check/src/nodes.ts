/** A token of an SQL statement, or a group of them. */
export type SqlNode =
  /** A keyword or a name in lower case, dotted names with all their parts. */
  | { readonly type: 'name'; readonly parts: readonly string[]; readonly isQuoted: boolean }
  | { readonly type: 'parameter'; readonly position: number }
  | { readonly type: 'symbol'; readonly text: string }
  | { readonly type: 'literal' }
  /** {@link CROSS_TENANT_MARK}. */
  | { readonly type: 'crossTenant' }
  | { readonly type: 'group'; readonly open: Opening; readonly nodes: readonly SqlNode[] };

/** What a group starts with; it ends with the matching parenthesis or bracket, or with `END`. */
type Opening = '(' | '[' | 'case';

/** What a statement writes before a table whose rows of all tenants it means: a comment, which PostgreSQL ignores. */
export const CROSS_TENANT_MARK = '/* cross-tenant */';

const IDENTIFIER = '(?:[a-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*|"(?:[^"]|"")*")';

/** The kinds of tokens, in the order in which the tokenizer tries them. */
const PATTERNS = {
  crossTenant: String.raw`/\* cross-tenant \*/`,
  space: String.raw`\s+|--[^\n]*`,
  comment: String.raw`/\*`,
  literal: String.raw`e'(?:[^'\\]|''|\\.)*'|(?:[bxn]|u&)?'(?:[^']|'')*'|\$(?<tag>[a-z_]\w*)?\$.*?\$\k<tag>\$|\d[\w.]*`,
  parameter: String.raw`\$\d+`,
  name: String.raw`${IDENTIFIER}(?:\.${IDENTIFIER})*`,
  symbol: String.raw`::|(?:(?!--|/\*)[-+*/<>=~!@#%^&|` + '`' + String.raw`?])+|[()[\],;:.]`,
} as const;

type Kind = keyof typeof PATTERNS;

const KINDS = Object.keys(PATTERNS) as Kind[];
const TOKEN = new RegExp(KINDS.map((kind) => `(?<${kind}>${PATTERNS[kind]})`).join('|'), 'isy');

const ENDS: Readonly<Record<string, Opening>> = { ')': '(', ']': '[', end: 'case' };
const OPENINGS = Object.values(ENDS);

/**
 * Parses a statement into nodes, with a group for each pair of parentheses.
 * @throws Error if a character is not SQL, or a parenthesis has no match
 */
export function parseNodes(text: string): readonly SqlNode[] {
  const levels: { open?: Opening; nodes: SqlNode[] }[] = [{ nodes: [] }];
  for (const node of tokens(text)) {
    const word = node.type === 'symbol' ? node.text : keywordOf(node);
    const opening = OPENINGS.find((open) => open === word);
    const closed = ENDS[word];
    if (opening) levels.push({ open: opening, nodes: [] });
    else if (!closed) levels.at(-1)?.nodes.push(node);
    else {
      const { open, nodes } = levels.pop() ?? { nodes: [] };
      if (open !== closed) throw unbalanced();
      levels.at(-1)?.nodes.push({ type: 'group', open, nodes });
    }
  }
  const [statement, ...unclosed] = levels;
  if (!statement || unclosed.length > 0) throw unbalanced();
  return statement.nodes;
}

const unbalanced = (): Error => new Error('This SQL has an unmatched parenthesis.');

/** @returns the unquoted, undotted word of a node in lower case, or the empty string if it is something else */
export const keywordOf = (node: SqlNode | undefined): string =>
  node?.type === 'name' && !node.isQuoted && node.parts.length === 1 ? (node.parts[0] ?? '') : '';

/** Splits nodes at each separator. @returns the nodes between the separators */
export function splitNodes(nodes: readonly SqlNode[], isSeparator: (node: SqlNode) => boolean): SqlNode[][] {
  const parts: SqlNode[][] = [[]];
  for (const node of nodes) {
    if (isSeparator(node)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

function* tokens(text: string): Generator<SqlNode> {
  for (let start = 0; start < text.length;) {
    TOKEN.lastIndex = start;
    const found = TOKEN.exec(text);
    const kind = KINDS.find((name) => found?.groups?.[name] !== undefined);
    if (!found || !kind) throw new Error(`This SQL cannot be parsed from here on: ${text.slice(start, start + 40)}`);
    start = kind === 'comment' ? endOfComment(text, start) : start + found[0].length;
    const node = nodeOf(kind, found[0]);
    if (node) yield node;
  }
}

function nodeOf(kind: Kind, text: string): SqlNode | undefined {
  switch (kind) {
    case 'space':
    case 'comment':
      return undefined;
    case 'crossTenant':
    case 'literal':
      return { type: kind };
    case 'parameter':
      return { type: kind, position: Number(text.slice(1)) };
    case 'symbol':
      return { type: kind, text };
    case 'name':
      return { type: kind, parts: partsOf(text), isQuoted: text.startsWith('"') };
    default:
      return kind satisfies never;
  }
}

const partsOf = (name: string): string[] =>
  (name.match(/"(?:[^"]|"")*"|[^.]+/g) ?? []).map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.toLowerCase(),
  );

/** @returns where a comment ends, which may contain other comments */
function endOfComment(text: string, start: number): number {
  const boundary = /\/\*|\*\//g;
  boundary.lastIndex = start;
  for (let depth = 0, match = boundary.exec(text); match; match = boundary.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return boundary.lastIndex;
  }
  throw new Error('This SQL has a comment that does not end.');
}
