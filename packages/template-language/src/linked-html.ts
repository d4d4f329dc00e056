import { escapeHtml } from './escaping.js';
import type { BodyConversion } from './convert-body.js';
import type { LinkSpan } from './html-scan.js';
import type { PlaceholderSource } from './placeholder-source.js';
import { MAX_RENDERED_LENGTH, RenderedTooLong } from './rendered-too-long.js';
import type { ParsedTemplate } from './parsed-template.js';
import type { ValueReader } from './values.js';

/** The changes that a message makes to its HTML: replaced links, and HTML before `</body>`. */
export interface HtmlAdditions {
  /**
   * Returns the address that replaces the address of a link, or undefined to leave the link unchanged.
   * @param address the rendered address of the link
   * @param number the position of the link in the body, from 1
   */
  redirect(address: string, number: number): string | undefined;
  /** Returns the HTML to insert before `</body>`; called once, after all links. */
  ending(): string;
}

/** A link whose address may be replaced: `original` is its HTML source, `address` has character references resolved. */
interface Link {
  readonly number: number;
  readonly original: ParsedTemplate;
  readonly address: ParsedTemplate;
}

type HtmlPart = ParsedTemplate | Link;
type NumberedSpan = LinkSpan & { readonly number: number };

/** An HTML body split at its links, so that they are found once and not for each recipient. */
export class LinkedHtml {
  private constructor(
    private readonly content: readonly HtmlPart[],
    /** Everything from `</body>` on. */
    private readonly afterBody: readonly HtmlPart[],
  ) {}

  static of(source: PlaceholderSource, { links, bodyEnd: end }: BodyConversion): LinkedHtml {
    const numbered = links.map((link, index) => ({ ...link, number: index + 1 }));
    return new LinkedHtml(partsOf(source, numbered, 0, end), partsOf(source, numbered, end, source.text.length));
  }

  /**
   * Returns the same bytes as `ParsedTemplate.renderHtml`, apart from the additions, in a step for each link.
   * @throws RenderedTooLong
   */
  *render(values: ValueReader, additions: HtmlAdditions): Generator<undefined, string> {
    const content = yield* render(this.content, values, additions);
    const afterBody = yield* render(this.afterBody, values, additions);
    return content + additions.ending() + afterBody;
  }
}

/** Splits the source between two offsets at its links. */
function partsOf(source: PlaceholderSource, links: readonly NumberedSpan[], from: number, to: number): HtmlPart[] {
  const parts: HtmlPart[] = [];
  let at = from;
  for (const { number, start, end, address } of links.filter((link) => link.start >= from && link.start < to)) {
    const original = source.template(source.text.slice(start, end));
    parts.push(source.template(source.text.slice(at, start)), { number, original, address: source.template(address) });
    at = end;
  }
  return [...parts, source.template(source.text.slice(at, to))];
}

function* render(
  parts: readonly HtmlPart[],
  values: ValueReader,
  additions: HtmlAdditions,
): Generator<undefined, string> {
  let rendered = '';
  for (const part of parts) {
    if ('address' in part) yield;
    rendered += 'address' in part ? renderLink(part, values, additions) : part.renderHtml(values);
    if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLong('body', MAX_RENDERED_LENGTH);
  }
  return rendered;
}

function renderLink({ number, original, address }: Link, values: ValueReader, additions: HtmlAdditions): string {
  const replacement = additions.redirect(address.renderText(values), number);
  return replacement === undefined ? original.renderHtml(values) : escapeHtml(replacement);
}
