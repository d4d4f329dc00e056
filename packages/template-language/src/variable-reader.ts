import { TemplateSyntaxError } from './template-syntax-error.js';
import type { Variable } from './parsed-template.js';
import { variableName } from './values.js';

/** Starts a variable. */
export const OPENING = '{{';
/** Ends a variable. */
export const CLOSING = '}}';

const MAX_KEY_LENGTH = 64;
const EXCERPT_LENGTH = 24;

// Each expression is sticky, its alternatives begin differently and nothing follows them, so none can backtrack.
// Editors insert no-break spaces between braces and names.
const WHITE_SPACE = /[ \t\r\n\f\u00a0]*/y;
const KEY = /[A-Za-z0-9_-]*/y;
const WORD = /[^\s:|}]*/y;
const QUOTED = { '"': /(?:[^"\\]|\\[\s\S])*/y, "'": /(?:[^'\\]|\\[\s\S])*/y } as const;
const ESCAPED = /\\(["'\\])/g;

type Quote = keyof typeof QUOTED;

/** What follows the name of a variable. */
type Filters = Pick<Variable, 'fallback' | 'isUrlEncoded'>;

/** Parses one variable, `{{ name }}` or `{{ name | default: "text" | url }}`, from its `{{` at `start` to its `}}`. */
export class VariableReader {
  #at: number;

  constructor(
    private readonly source: string,
    private readonly start: number,
  ) {
    this.#at = start + OPENING.length;
  }

  /** Returns the variable and the offset after its `}}`. @throws TemplateSyntaxError */
  read(): { variable: Variable; end: number } {
    this.#take(WHITE_SPACE);
    const name = this.#readName();
    const filters = this.#readFilters();
    return { variable: { ...variableName(name), ...filters }, end: this.#at };
  }

  /** Reads up to the end of the variable. */
  #readFilters(): Filters {
    let fallback: string | undefined;
    let isUrlEncoded = false;
    let last = 'name';
    this.#take(WHITE_SPACE);
    while (this.#accept('|')) {
      this.#take(WHITE_SPACE);
      const start = this.#at;
      last = this.#take(WORD);
      if (last === 'default' && fallback === undefined) fallback = this.#readDefault();
      else if (last === 'url' && !isUrlEncoded) isUrlEncoded = true;
      else {
        this.#at = start;
        this.#fail('only "default" and "url" can follow "|", each once');
      }
      this.#take(WHITE_SPACE);
    }
    if (!this.#accept(CLOSING)) this.#fail(`"${CLOSING}" is expected after the ${last}`);
    return { fallback: fallback ?? '', isUrlEncoded };
  }

  #readName(): string {
    const key = this.#readKey();
    return this.#accept('.') ? `${key}.${this.#readKey()}` : key;
  }

  #readKey(): string {
    const start = this.#at;
    const key = this.#take(KEY);
    if (key !== '' && key.length <= MAX_KEY_LENGTH) return key;
    this.#at = start;
    return this.#fail(`a name of 1 to ${MAX_KEY_LENGTH} letters, digits, "_" or "-" is expected`);
  }

  #readDefault(): string {
    this.#take(WHITE_SPACE);
    if (!this.#accept(':')) this.#fail('":" is expected after "default"');
    this.#take(WHITE_SPACE);
    if (this.#accept('"')) return this.#readQuoted('"');
    if (this.#accept("'")) return this.#readQuoted("'");
    return this.#fail('the default must be in straight quotes');
  }

  /** Reads the text up to the closing quote. A backslash escapes a quote or a backslash. */
  #readQuoted(quote: Quote): string {
    const text = this.#take(QUOTED[quote]);
    if (!this.#accept(quote)) {
      this.#at = this.source.length;
      this.#fail(`the closing ${quote} of the default is missing`);
    }
    return text.replace(ESCAPED, '$1');
  }

  #take(run: RegExp): string {
    run.lastIndex = this.#at;
    const [taken = ''] = run.exec(this.source) ?? [];
    this.#at += taken.length;
    return taken;
  }

  #accept(token: string): boolean {
    if (!this.source.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #fail(problem: string): never {
    const ahead = Array.from(this.source.slice(this.#at, this.#at + 2 * EXCERPT_LENGTH));
    const excerpt = ahead.slice(0, EXCERPT_LENGTH).join('');
    const found = excerpt === '' ? 'the end of the text' : JSON.stringify(excerpt);
    throw TemplateSyntaxError.at(this.source, this.start, `${problem}, found ${found}`);
  }
}
