import { Tokenizer, type TokenizerCallbacks, QuoteType } from 'htmlparser2';

/** The position of an address in the HTML: offsets in UTF-16 units, without the quotes. */
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
export const scanHtml = (html: string): HtmlScan => scan(html, LINK_ELEMENTS, 'href');

/** Returns the addresses of the links of an HTML body, in order. */
export const linkAddresses = (html: string): string[] => scanHtml(html).links.map(({ address }) => address);

/** Returns the addresses of the pictures of an HTML body, in order. */
export const imageAddresses = (html: string): string[] =>
  scan(html, ['img'], 'src').links.map(({ address }) => address);

function scan(html: string, elements: readonly string[], attribute: string): HtmlScan {
  const scanner = new HtmlScanner(html, elements, attribute);
  const tokenizer = new Tokenizer({}, scanner);
  tokenizer.write(html);
  tokenizer.end();
  return scanner;
}

class HtmlScanner implements HtmlScan, TokenizerCallbacks {
  readonly links: LinkSpan[] = [];
  bodyEnd: number;
  /** Whether the open tag is such an element without the attribute so far; browsers ignore a second one. */
  #expectsAddress = false;
  /** The offset of the attribute value that is being read; undefined if it is not an address. */
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

  /** Finds the attribute of each of these elements. */
  constructor(
    private readonly html: string,
    private readonly elements: readonly string[],
    private readonly attribute: string,
  ) {
    this.bodyEnd = html.length;
  }

  onopentagname(start: number, end: number): void {
    this.#expectsAddress = this.elements.includes(this.#name(start, end));
  }

  onclosetag(start: number, end: number): void {
    if (this.#name(start, end) === 'body') this.bodyEnd = this.html.lastIndexOf('<', start);
  }

  onattribname(start: number, end: number): void {
    this.#start = undefined;
    this.#address = '';
    if (!this.#expectsAddress || this.#name(start, end) !== this.attribute) return;
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
    this.#expectsAddress = false;
    if (quote === QuoteType.NoValue) return;
    const isQuoted = quote !== QuoteType.Unquoted;
    this.links.push({ start: this.#start, end: isQuoted ? end - 1 : end, address: this.#address });
  }

  #name(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }
}
