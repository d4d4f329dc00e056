import { escapeHtml } from './escaping.js';
import { scanHtml, type LinkSpan } from './html-scan.js';
import type { PlaceholderSource } from './placeholder-source.js';
import { MAX_RENDERED_LENGTH, RenderedTooLong } from './rendered-too-long.js';
import type { ParsedTemplate } from './parsed-template.js';
import type { TemplateValues } from './template-values.js';

/** What one message adds to its HTML. */
export interface HtmlAdditions {
  /**
   * The address to write in place of a link's.
   * @param address where the link leads, filled in
   * @param number which of the body's links it is, from 1
   * @returns undefined for a link that stays as it is
   */
  redirect(address: string, number: number): string | undefined;
  /** HTML for the end of the body, asked for once, after all links. */
  ending(): string;
}

/** A link whose address may be replaced: as it stands in the HTML, and where it leads. */
interface Link {
  readonly number: number;
  readonly original: ParsedTemplate;
  readonly address: ParsedTemplate;
}

type HtmlPart = ParsedTemplate | Link;
type NumberedSpan = LinkSpan & { readonly number: number };

// No email for people has as many; what comes after them is left as it is.
const MAX_LINKS = 500;
// Anchors, telephone numbers and the like are never replaced. A variable, which is marked, may hold any address.
const MAY_BE_WEB_ADDRESS = /^\s*(https?:|\uFDD0)/i;

/** An HTML body that knows its links: they are found once, not for each recipient. */
export class LinkedHtml {
  private constructor(
    private readonly content: readonly HtmlPart[],
    /** What stands behind the end of the body. */
    private readonly afterBody: readonly HtmlPart[],
  ) {}

  static of(source: PlaceholderSource): LinkedHtml {
    const { links, bodyEnd: end } = scanHtml(source.text);
    const web = links.filter(({ address }) => MAY_BE_WEB_ADDRESS.test(address)).slice(0, MAX_LINKS);
    const numbered = web.map((link, index) => ({ ...link, number: index + 1 }));
    return new LinkedHtml(partsOf(source, numbered, 0, end), partsOf(source, numbered, end, source.text.length));
  }

  /** As `Template.renderHtml`, byte for byte, but for what is added. Throws RenderedTooLong. */
  render(values: TemplateValues, additions: HtmlAdditions): string {
    const content = render(this.content, values, additions);
    const afterBody = render(this.afterBody, values, additions);
    return content + additions.ending() + afterBody;
  }
}

/** The parts of a stretch of the source. */
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

function render(parts: readonly HtmlPart[], values: TemplateValues, additions: HtmlAdditions): string {
  let rendered = '';
  for (const part of parts) {
    rendered += 'address' in part ? renderLink(part, values, additions) : part.renderHtml(values);
    if (rendered.length > MAX_RENDERED_LENGTH) throw new RenderedTooLong();
  }
  return rendered;
}

function renderLink({ number, original, address }: Link, values: TemplateValues, additions: HtmlAdditions): string {
  const replacement = additions.redirect(address.renderText(values), number);
  return replacement === undefined ? original.renderHtml(values) : escapeHtml(replacement);
}
