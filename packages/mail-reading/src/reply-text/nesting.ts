import { Parser } from 'htmlparser2';

/** How deep elements may be nested. Mails have some dozens of levels; thousands take very long to convert. */
const MAX_DEPTH = 200;

/** Returns the beginning of an HTML text, up to the element that is nested too deep. */
export function withLimitedNesting(html: string): string {
  let depth = 0;
  let end = html.length;
  const parser = new Parser({
    onopentagname() {
      depth += 1;
      if (depth <= MAX_DEPTH) return;
      end = parser.startIndex;
      parser.pause();
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.write(html);
  return html.slice(0, end);
}
