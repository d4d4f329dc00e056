import type { CheckedStatement } from './checked-statement.js';
import { clausesOf, isQuery, isSetOperation } from './clauses.js';
import { type Equality, equalitiesOf, listItems, operandOf } from './equalities.js';
import { keywordOf, parseNodes, splitNodes, type SqlNode } from './nodes.js';
import { Level, type Relation } from './relations.js';

/**
 * Finds the tenants' tables whose column of the tenant a statement does not compare with the scope, directly or through
 * that column of another table. A table of a sub-select has to be compared inside of it. An `INSERT` has to write the
 * tenant of the scope. The check finds mistakes; a statement can still evade it on purpose, because it takes the column of
 * a sub-select for the scope's if each table in the sub-select is checked.
 * @returns the tables with their aliases
 * @throws Error if the text cannot be parsed
 */
export function unscopedTables(statement: CheckedStatement): string[] {
  const nodes = parseNodes(statement.text);
  const check = new StatementCheck(statement);
  check.statement(nodes);
  return [...check.unscoped, ...check.unread(nodes)];
}

/** The names of `WITH` queries, which hide tables of the same name. */
type Names = ReadonlySet<string>;

/** For each item of a select list, whether it is the tenant of the scope. */
type SelectList = readonly boolean[];

const JOIN_WORDS = ['left', 'right', 'full', 'inner', 'outer', 'cross', 'natural'];
const BEFORE_TABLES = ['from', 'join', 'into', 'update', 'only', 'table', 'copy', 'truncate', 'lock'];
const NO_NAMES: Names = new Set();

class StatementCheck {
  readonly unscoped: string[] = [];
  private readonly read = new Set<SqlNode>();

  constructor(private readonly checked: CheckedStatement) {}

  statement(nodes: readonly SqlNode[]): void {
    this.query(keywordOf(nodes[0]) === 'create' ? sourceOf(nodes) : nodes, NO_NAMES);
  }

  /** @returns the tenants' tables that the check has not understood */
  unread(nodes: readonly SqlNode[]): string[] {
    return nodes.flatMap((node, index) => {
      if (node.type === 'group') return this.unread(node.nodes);
      const isTable = node.type === 'name' && this.checked.tenantTables.has(node.parts.at(-1) ?? '');
      if (!isTable || this.read.has(node) || !BEFORE_TABLES.includes(keywordOf(nodes[index - 1]))) return [];
      return keywordOf(nodes[index - 2]) === 'distinct' ? [] : [node.parts.join('.')];
    });
  }

  private query(nodes: readonly SqlNode[], names: Names, outer?: Level): SelectList[] {
    const [main, known] = this.withQueries(nodes, names, outer);
    if (keywordOf(main[0]) === 'insert') {
      this.insert(main, known, outer);
      return [];
    }
    return splitNodes(main, isSetOperation).flatMap((operand) => {
      const own = ['all', 'distinct'].includes(keywordOf(operand[0])) ? operand.slice(1) : operand;
      const [first, ...rest] = own;
      if (first?.type !== 'group') return [this.select(own, known, outer)];
      this.nested(rest, known, this.level(outer));
      return this.query(first.nodes, known, outer);
    });
  }

  /** Checks the queries of a `WITH`. @returns the nodes after it, and the names that are known there */
  private withQueries(nodes: readonly SqlNode[], names: Names, outer?: Level): [readonly SqlNode[], Names] {
    if (keywordOf(nodes[0]) !== 'with') return [nodes, names];
    const isRecursive = keywordOf(nodes[1]) === 'recursive';
    const known = new Set(names);
    for (let index = isRecursive ? 2 : 1; ; index++) {
      const name = keywordOf(nodes[index]);
      const body = nodes.findIndex((node, at) => at > index && node.type === 'group' && isQuery(node.nodes));
      const query = nodes[body];
      if (query?.type !== 'group') throw new Error('This SQL has a WITH that cannot be parsed.');
      if (isRecursive) known.add(name);
      this.query(query.nodes, known, outer);
      known.add(name);
      index = body + 1;
      const next = nodes[index];
      if (next?.type !== 'symbol' || next.text !== ',') return [nodes.slice(index), known];
    }
  }

  /** Checks a `SELECT`, `VALUES`, `UPDATE` or `DELETE`. */
  private select(nodes: readonly SqlNode[], names: Names, outer?: Level): SelectList {
    const level = this.level(outer);
    const clauses = clausesOf(nodes);
    const equalities = clauses.flatMap(({ keyword, nodes: own }) => {
      if (keyword === 'where') return equalitiesOf(own);
      const isRelations = ['from', 'using', 'update', 'delete'].includes(keyword);
      return isRelations ? this.relations(keyword === 'delete' ? own.slice(1) : own, names, level) : [];
    });
    level.compare(equalities);
    this.report(level);
    this.nested(nodes, names, level);
    const list = clauses.find(({ keyword }) => keyword === 'select')?.nodes ?? [];
    return selected(list).map((item) => level.isKnown(item));
  }

  /** Adds the items of a `FROM` to the level. @returns the equalities of their `ON` and `USING` */
  private relations(nodes: readonly SqlNode[], names: Names, level: Level): Equality[] {
    const items = splitNodes(nodes, (node) => keywordOf(node) === 'join' || isComma(node));
    return items.flatMap((item, index) => {
      const own = withoutJoinWords(item);
      const at = own.findIndex((node) => ['on', 'using'].includes(keywordOf(node)));
      const subject = (at < 0 ? own : own.slice(0, at)).filter(
        (node) => !['lateral', 'only'].includes(keywordOf(node)),
      );
      const before = [...level.relations];
      const inside = this.relation(subject, names, level);
      const condition = at < 0 ? [] : own.slice(at + 1);
      const added = level.relations.filter((relation) => !before.includes(relation));
      const isOn = keywordOf(own[at]) === 'on';
      const joined = isOn ? equalitiesOf(condition) : this.merged(condition, before, added);
      const restricts = restrictedByJoin(items[index - 1] ?? [], before, added);
      return [...inside, ...joined.map((equality) => ({ ...equality, restricts }))];
    });
  }

  /** @returns the equality of `USING (tenant_id, …)` */
  private merged(columns: readonly SqlNode[], left: readonly Relation[], right: readonly Relation[]): Equality[] {
    const { tenantColumn } = this.checked;
    const columnOf = ({ alias }: Relation): SqlNode => ({
      type: 'name',
      parts: [alias, tenantColumn],
      isQuoted: false,
    });
    const [list] = columns;
    const items = list?.type === 'group' ? list.nodes : [];
    if (!items.some((column) => keywordOf(column) === tenantColumn)) return [];
    return left.flatMap((one) => right.map((other) => ({ left: columnOf(one), right: columnOf(other) })));
  }

  /** Adds one item of a `FROM`, or several in parentheses. */
  private relation(nodes: readonly SqlNode[], names: Names, level: Level): Equality[] {
    const isExempt = nodes[0]?.type === 'crossTenant';
    const [subject, ...rest] = isExempt ? nodes.slice(1) : nodes;
    if (!subject) return [];
    if (subject.type === 'group' && !isQuery(subject.nodes)) return this.relations(subject.nodes, names, level);
    level.relations.push(this.relationOf(subject, rest, names, isExempt));
    return [];
  }

  private relationOf(subject: SqlNode, rest: readonly SqlNode[], names: Names, isExempt: boolean): Relation {
    this.read.add(subject);
    const parts = subject.type === 'name' ? subject.parts : [];
    const name = parts.at(-1) ?? '';
    const isWithQuery = parts.length === 1 && names.has(name);
    const isFunction = rest[0]?.type === 'group';
    const isSubSelect = subject.type === 'group' && keywordOf(subject.nodes[0]) !== 'values';
    return {
      name,
      alias: aliasOf(rest) ?? name,
      isTenant: !isWithQuery && !isFunction && this.checked.tenantTables.has(name),
      isExempt,
      isScoped: isWithQuery || isSubSelect,
    };
  }

  /** Checks an `INSERT INTO table (columns) …`. */
  private insert(nodes: readonly SqlNode[], names: Names, outer?: Level): void {
    const start = nodes.findIndex((node) => ['select', 'with', 'values', 'default'].includes(keywordOf(node)));
    const from = start < 0 ? nodes.findIndex((node) => node.type === 'group' && isQuery(node.nodes)) : start;
    const end = nodes.findIndex(
      (node, index) =>
        keywordOf(node) === 'returning' || (keywordOf(node) === 'on' && keywordOf(nodes[index + 1]) === 'conflict'),
    );
    const head = nodes.slice(2, from);
    const source = nodes.slice(from, end < 0 ? undefined : end);
    const columns = head.find((node) => node.type === 'group');
    const level = this.level(outer);
    this.relation(
      head.filter((node) => node !== columns),
      names,
      level,
    );
    const rows = keywordOf(source[0]) === 'values' ? values(source, level) : this.query(source, names, outer);
    const items = columns?.type === 'group' ? listItems(columns.nodes) : [];
    const position = items.findIndex(([column]) => keywordOf(column) === this.checked.tenantColumn);
    const isScoped = rows.length > 0 && rows.every((row) => row[position] === true);
    for (const relation of level.relations) relation.isScoped = isScoped;
    this.report(level);
    this.nested(end < 0 ? [] : nodes.slice(end), names, level);
    if (keywordOf(source[0]) === 'values') this.nested(source, names, level);
  }

  /** Checks the queries in parentheses, at any depth. */
  private nested(nodes: readonly SqlNode[], names: Names, level: Level): void {
    for (const node of nodes) {
      if (node.type !== 'group') continue;
      if (isQuery(node.nodes)) this.query(node.nodes, names, level);
      else this.nested(node.nodes, names, level);
    }
  }

  private level(outer?: Level): Level {
    return new Level(this.checked, outer);
  }

  private report(level: Level): void {
    this.unscoped.push(...level.unscoped.map(({ name, alias }) => (name === alias ? name : `${name} ${alias}`)));
  }
}

/** @returns the query of `CREATE TABLE … AS query WITH NO DATA` */
function sourceOf(nodes: readonly SqlNode[]): readonly SqlNode[] {
  const start = nodes.findIndex((node) => keywordOf(node) === 'as') + 1;
  const end = nodes.findIndex(
    (node, index) => keywordOf(node) === 'with' && ['no', 'data'].includes(keywordOf(nodes[index + 1])),
  );
  return nodes.slice(start, end < 0 ? undefined : end);
}

const isComma = (node: SqlNode): boolean => node.type === 'symbol' && node.text === ',';

/** @returns an item without the words that belong to the `JOIN` after it */
function withoutJoinWords(item: readonly SqlNode[]): readonly SqlNode[] {
  const last = item.findLastIndex((node) => !JOIN_WORDS.includes(keywordOf(node)));
  return item.slice(0, last + 1);
}

/** @returns the relations whose rows the condition of a join restricts; `previous` ends with the words before `JOIN` */
function restrictedByJoin(
  previous: readonly SqlNode[],
  left: readonly Relation[],
  right: readonly Relation[],
): readonly Relation[] {
  const words = previous.slice(withoutJoinWords(previous).length).map(keywordOf);
  if (words.includes('full')) return [];
  return [...(words.includes('left') ? [] : left), ...(words.includes('right') ? [] : right)];
}

function aliasOf(nodes: readonly SqlNode[]): string | undefined {
  const as = nodes.findIndex((node) => keywordOf(node) === 'as');
  const named = nodes
    .slice(as + 1)
    .find((node) => node.type === 'name' && !['with', 'ordinality', 'tablesample'].includes(keywordOf(node)));
  return named?.type === 'name' ? named.parts[0] : undefined;
}

/** @returns each item of a select list that is one column or parameter, otherwise `undefined` */
function selected(list: readonly SqlNode[]): (SqlNode | undefined)[] {
  const isDistinct = keywordOf(list[0]) === 'distinct';
  const isOn = isDistinct && keywordOf(list[1]) === 'on';
  return listItems(isOn ? list.slice(3) : isDistinct ? list.slice(1) : list).map((item) => {
    const as = item.findIndex((node) => keywordOf(node) === 'as');
    return operandOf(as < 0 ? item : item.slice(0, as));
  });
}

/** @returns for each row of `VALUES` which of its items are the tenant of the scope */
const values = (source: readonly SqlNode[], level: Level): SelectList[] =>
  source.flatMap((row) =>
    row.type === 'group' ? [listItems(row.nodes).map((item) => level.isKnown(operandOf(item)))] : [],
  );
