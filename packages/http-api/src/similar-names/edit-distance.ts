/** Names are compared up to this length, because the time grows with the product of both lengths. */
const MAX_LENGTH = 64;

/**
 * Returns the number of characters to insert, delete or replace, or of neighbours to swap, that make one text the other
 * (optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  const [from, to] = [one.slice(0, MAX_LENGTH), other.slice(0, MAX_LENGTH)];
  let before = new Uint8Array(to.length + 1);
  let row = Uint8Array.from(before, (_, length) => length);
  let next = new Uint8Array(to.length + 1);
  for (let index = 0; index < from.length; index++) {
    next[0] = index + 1;
    for (let column = 0; column < to.length; column++) {
      const replaced = at(row, column) + (from[index] === to[column] ? 0 : 1);
      const isSwap = column > 0 && from[index] === to[column - 1] && from[index - 1] === to[column];
      const swapped = isSwap ? at(before, column - 1) + 1 : replaced;
      next[column + 1] = Math.min(replaced, swapped, at(row, column + 1) + 1, at(next, column) + 1);
    }
    [before, row, next] = [row, next, before];
  }
  return at(row, to.length);
}

const at = (distances: Uint8Array, index: number): number => distances[index] ?? 0;

/** Names with fewer characters in common are similar only if few characters differ. */
const MIN_COMMON = 3;

/**
 * Returns the candidate that is most similar to a text, in upper or lower case; undefined if none is similar. A common
 * beginning or end counts more than the distance: `smtp_pass` means `smtp_password`, although `smtp_port` has a smaller
 * distance.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const lower = text.toLowerCase();
  const backwards = reversed(lower);
  const maxDistance = Math.floor(lower.length / 3);
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const name of candidates) {
    const other = name.toLowerCase();
    const common = Math.max(commonLength(lower, other), commonLength(backwards, reversed(other)));
    const hasMuchInCommon = common >= MIN_COMMON && 2 * common > lower.length;
    // The distance is at least the difference of the lengths, and computing it takes the most time.
    if (!hasMuchInCommon && Math.abs(lower.length - other.length) > maxDistance) continue;
    const distance = editDistance(lower, other);
    const score = distance - 2 * common;
    if ((hasMuchInCommon || distance <= maxDistance) && (!best || score < best.score)) best = { name, score };
  }
  return best?.name;
}

const reversed = (text: string): string => [...text.slice(-MAX_LENGTH)].reverse().join('');

/** The number of characters with which both texts begin. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < MAX_LENGTH && length < one.length && one[length] === other[length]) length += 1;
  return length;
}
