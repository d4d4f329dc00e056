import { Tokenizer, type TokenizerCallbacks, QuoteType } from 'htmlparser2';

/** The position of a link's address in the HTML: offsets in UTF-16 units, without the quotes. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  /** The address, with character references resolved. */
  readonly address: string;
}

/** The positions in an HTML body at which a message may differ from its source. */
export interface HtmlScan {
  /** The `href` of each `<a>` and `<area>`, in order. */
  readonly links: readonly LinkSpan[];
  /** The offset of the last `</body>`, or the length of the HTML if there is none. */
  readonly bodyEnd: number;
}

const LINK_ELEMENTS = ['a', 'area'];
const EQUALS = /\s*=\s*["']?/y;
const ignore = (): void => undefined;

/**
 * Returns the links and the end of an HTML body, found in one pass over the tokens of the HTML standard. An `<a>` in a
 * comment (including Outlook's conditional ones), a script or a style is not a link.
 */
export function scanHtml(html: string): HtmlScan {
  const scanner = new HtmlScanner(html);
  const tokenizer = new Tokenizer({}, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner;
}

class HtmlScanner implements HtmlScan, TokenizerCallbacks {
  readonly links: LinkSpan[] = [];
  bodyEnd: number;
  /** Whether the open tag is a link without an `href` so far; browsers ignore a second `href`. */
  #expectsHref = false;
  /** The offset of the attribute value that is being read; undefined if it is not the address of a link. */
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
