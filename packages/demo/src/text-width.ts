/** The width of a line that fits an ordinary terminal. */
export const LINE_WIDTH = 78;

/** How much of a link or an ID is shown that is longer than a line. */
const CUT_WIDTH = 60;

/** @returns the lines of a text, broken between words. A word that is longer than a line is cut. */
export function wrapText(text: string, width = LINE_WIDTH): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').map((each) => (each.length > width - 20 ? cut(each) : each))) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}

/** Keeps the bracket of a link, so that it is seen that only the link is cut. */
const cut = (word: string): string => `${word.slice(0, CUT_WIDTH - 20)}…${word.endsWith('>') ? '>' : ''}`;
