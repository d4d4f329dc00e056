/** Names are compared up to this length, because the time grows with the product of both lengths. */
const MAX_LENGTH = 64;

/** Returns the number of characters to insert, delete or replace that make one text the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  const [from, to] = [one.slice(0, MAX_LENGTH), other.slice(0, MAX_LENGTH)];
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Returns the candidate with the smallest distance to a text; undefined if there are no candidates. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(text, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}
