/** @returns rows as text, in columns that are as wide as their widest cell */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
