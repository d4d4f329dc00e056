import { scanHtml, type LinkSpan } from './html-scan.js';
import { PlaceholderSource } from './placeholder-source.js';
import { toPlainText } from './plain-text.js';
import { parseTemplate, parseUnlimited } from './template-parser.js';

/** Lines of HTML that are added before `</body>`, unless the body uses a variable that does the same. */
export interface Footer {
  /** A line with `unlessVariable` is left out if the body uses that variable. */
  readonly lines: readonly { readonly html: string; readonly unlessVariable?: string }[];
  readonly unlessVariable: string;
}

/** A body as it is stored, and the footer that its messages have. */
export interface BodySource {
  readonly source: string;
  readonly footer?: Footer | undefined;
}

/** What takes long to find out about a body. A worker thread can return it, because it contains only strings and numbers. */
export interface BodyConversion {
  /** The source with its footer. */
  readonly source: string;
  /** The text part, with placeholders for the variables. */
  readonly text: string;
  /** The links that may be tracked, as positions in the source with placeholders. */
  readonly links: readonly LinkSpan[];
  /** The position of `</body>` there. */
  readonly bodyEnd: number;
}

// No email written for people has as many. Links after them are not tracked.
const MAX_LINKS = 500;
// Anchors, telephone numbers and the like are never replaced. A placeholder stands for a variable, which may contain
// any address.
const MAY_BE_WEB_ADDRESS = /^\s*(https?:|\uFDD0)/i;

/**
 * Adds the footer to a body, converts it to text and finds its links. The limits of templates do not count the footer.
 * @throws TemplateSyntaxError, TemplateTooLarge
 */
export function convertBody({ source, footer }: BodySource): BodyConversion {
  const { variables } = parseTemplate(source);
  const uses = (name = ''): boolean => variables.includes(name);
  const completed = footer && !uses(footer.unlessVariable) ? withFooter(source, linesOf(footer, uses)) : source;
  const { text: html } = new PlaceholderSource(parseUnlimited(completed));
  const { links, bodyEnd } = scanHtml(html);
  return {
    source: completed,
    text: toPlainText(html),
    links: links.filter(({ address }) => MAY_BE_WEB_ADDRESS.test(address)).slice(0, MAX_LINKS),
    bodyEnd,
  };
}

const linesOf = ({ lines }: Footer, uses: (name?: string) => boolean): string =>
  lines.flatMap((line) => (uses(line.unlessVariable) ? [] : [line.html])).join('');

function withFooter(body: string, footer: string): string {
  const { bodyEnd } = scanHtml(body);
  return bodyEnd === body.length ? `${body}\n${footer}` : `${body.slice(0, bodyEnd)}${footer}\n${body.slice(bodyEnd)}`;
}
