import { Tokenizer, type TokenizerCallbacks, QuoteType } from 'htmlparser2';

/** The address of a link, where it stands in the HTML: offsets in UTF-16 units, without the quotes. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  /** With the character references resolved. */
  readonly address: string;
}

/** The places in an HTML body at which a message may differ from what its author wrote. */
export interface HtmlScan {
  /** The `href` of each `<a>` and `<area>`, in order. */
  readonly links: readonly LinkSpan[];
  /** The offset at which the content of the body ends: that of its last `</body>`, or the very end. */
  readonly bodyEnd: number;
}

const LINK_ELEMENTS = ['a', 'area'];
const EQUALS = /\s*=\s*["']?/y;
const ignore = (): void => undefined;

/**
 * Finds them in one pass, by the tokens of the HTML standard: what stands in comments (those of Outlook too), in scripts
 * and in styles is no link.
 */
export function scanHtml(html: string): HtmlScan {
  const reader = new HtmlScanner(html);
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader;
}

class HtmlScanner implements HtmlScan, TokenizerCallbacks {
  readonly links: LinkSpan[] = [];
  bodyEnd: number;
  /** Whether the open tag is that of a link, of which no address was seen yet: a second one has no meaning. */
  #expectsHref = false;
  /** Where the value begins that is being read; undefined while it is not the address of a link. */
  #start: number | undefined;
  #address = '';

  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onend = ignore;
  readonly onopentagend = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onselfclosingtag = ignore;
  readonly ontext = ignore;
  readonly ontextentity = ignore;

  constructor(private readonly html: string) {
    this.bodyEnd = html.length;
  }

  onopentagname(start: number, end: number): void {
    this.#expectsHref = LINK_ELEMENTS.includes(this.#name(start, end));
  }

  onclosetag(start: number, end: number): void {
    if (this.#name(start, end) === 'body') this.bodyEnd = this.html.lastIndexOf('<', start);
  }

  onattribname(start: number, end: number): void {
    this.#start = undefined;
    this.#address = '';
    if (!this.#expectsHref || this.#name(start, end) !== 'href') return;
    EQUALS.lastIndex = end;
    const [before = ''] = EQUALS.exec(this.html) ?? [];
    this.#start = end + before.length;
  }

  onattribdata(start: number, end: number): void {
    if (this.#start !== undefined) this.#address += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#start !== undefined) this.#address += String.fromCodePoint(codePoint);
  }

  onattribend(quote: QuoteType, end: number): void {
    if (this.#start === undefined) return;
    this.#expectsHref = false;
    if (quote === QuoteType.NoValue) return;
    const isQuoted = quote !== QuoteType.Unquoted;
    this.links.push({ start: this.#start, end: isQuoted ? end - 1 : end, address: this.#address });
  }

  #name(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }
}
