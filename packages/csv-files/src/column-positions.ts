import { foldedName } from './folded-name.js';
import { NotCsv } from './not-csv.js';
import { quotedName } from './quoted-name.js';

/** Finds the columns of a header by their names. */
export class ColumnPositions {
  private readonly exact: ReadonlyMap<string, readonly number[]>;
  private readonly folded: ReadonlyMap<string, readonly number[]>;

  constructor(private readonly columns: readonly string[]) {
    this.exact = positionsBy(columns, (name) => name);
    this.folded = positionsBy(columns, foldedName);
  }

  /**
   * The position of the column with exactly this name, else of the one with the same folded name; undefined if there is none.
   * @throws NotCsv if there are two
   */
  find(name: string): number | undefined {
    const [position, other] = this.exact.get(name) ?? this.folded.get(foldedName(name)) ?? [];
    if (position === undefined || other === undefined) return position;
    const names = [...new Set([position, other].map((each) => quotedName(this.columns[each] ?? '')))];
    throw new NotCsv(`The file has two columns ${names.join(' and ')}.`);
  }
}

/** The positions of the columns by their key. A column without a name has none. */
function positionsBy(columns: readonly string[], keyOf: (name: string) => string): ReadonlyMap<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, name] of columns.entries()) {
    const key = keyOf(name);
    if (key === '') continue;
    const others = positions.get(key);
    if (others) others.push(position);
    else positions.set(key, [position]);
  }
  return positions;
}
