import type { DomNode, FormatCallback } from 'html-to-text';

interface PrintedCell {
  readonly text: string;
  readonly colspan: number;
}

// Wider cells are printed in full and move the rest of their row to the right.
const MAX_COLUMN_WIDTH = 40;
const MAX_COLSPAN = 10;
const COLUMN_GAP = '   ';

/** Returns whether a table contains data and is not a layout: it has `th` and `td` cells and no nested table. */
export function isDataTable(table: DomNode): boolean {
  if (['presentation', 'none'].includes(attribute(table, 'role'))) return false;
  const cells = rowsOf(table).flatMap(cellsOf);
  return ['th', 'td'].every((name) => cells.some((cell) => cell.name === name)) && !containsTable(cells);
}

/**
 * Prints a data table, one line per row, with aligned columns. The `dataTable` formatter of html-to-text is not used,
 * because it trusts `colspan` and `rowspan` and takes time quadratic in the rows: one body could block a worker for
 * minutes.
 */
export const printDataTable: FormatCallback = (table, walk, builder) => {
  for (const caption of childrenNamed(table, ['caption'])) {
    builder.openBlock({ leadingLineBreaks: 2 });
    walk(caption.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  }
  builder.openTable();
  for (const row of rowsOf(table)) {
    builder.openTableRow();
    for (const cell of cellsOf(row)) {
      builder.openTableCell();
      walk(cell.children, builder);
      builder.closeTableCell({ colspan: columnsSpanned(cell), rowspan: 1 });
    }
    builder.closeTableRow();
  }
  builder.closeTable({ tableToString: alignColumns });
};

function alignColumns(rows: readonly PrintedCell[][]): string {
  const lines = rows.map((row) => row.flatMap(textsByColumn));
  const widths: number[] = [];
  for (const texts of lines) {
    texts.forEach((text, column) => {
      if (text.length <= MAX_COLUMN_WIDTH) widths[column] = Math.max(widths[column] ?? 0, text.length);
    });
  }
  return lines
    .map((texts) => texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(COLUMN_GAP))
    .join('\n');
}

function textsByColumn({ text, colspan }: PrintedCell): string[] {
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
  return [line, ...Array<string>(colspan - 1).fill('')];
}

function columnsSpanned(cell: DomNode): number {
  const columns = Number(attribute(cell, 'colspan'));
  return Number.isInteger(columns) ? Math.min(Math.max(columns, 1), MAX_COLSPAN) : 1;
}

function attribute(node: DomNode, name: string): string {
  const attributes: unknown = node.attribs;
  const value = new Map<string, unknown>(Object.entries(attributes ?? {})).get(name);
  return typeof value === 'string' ? value : '';
}

function rowsOf(table: DomNode): DomNode[] {
  const groups = childrenNamed(table, ['thead', 'tbody', 'tfoot']);
  return [table, ...groups].flatMap((group) => childrenNamed(group, ['tr']));
}

function cellsOf(row: DomNode): DomNode[] {
  return childrenNamed(row, ['th', 'td']);
}

function childrenNamed(node: DomNode, names: readonly string[]): DomNode[] {
  return node.children.filter(({ name }) => name !== undefined && names.includes(name));
}

// Iterative, because the elements of a cell may be nested deeper than the call stack allows.
function containsTable(cells: readonly DomNode[]): boolean {
  const pending = cells.map(({ children }) => children);
  for (let nodes = pending.pop(); nodes !== undefined; nodes = pending.pop()) {
    for (const { name, children } of nodes) {
      if (name === 'table') return true;
      if (name !== undefined) pending.push(children);
    }
  }
  return false;
}
