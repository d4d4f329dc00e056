/** Yields the rows of a CSV as they are, each with its line end. A line end in quotes is part of its row. */
export function* csvRows(text: string): Generator<string> {
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (character !== '\n' || isQuoted) continue;
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}
