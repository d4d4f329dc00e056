import { escapeHtml } from './escaping.js';
import { htmlLandmarks, type LinkSpan } from './html-landmarks.js';
import type { MarkedSource } from './marked-source.js';
import { LONGEST_RENDERED, RenderedTooLong } from './rendered-too-long.js';
import type { Template } from './template.js';
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
  readonly written: Template;
  readonly address: Template;
}

type Part = Template | Link;
type NumberedSpan = LinkSpan & { readonly number: number };

// No email for people has as many; what comes after them is left as it is.
const MOST_LINKS = 500;
// Anchors, telephone numbers and the like are never replaced. A variable, which is marked, may hold any address.
const MAY_LEAD_TO_THE_WEB = /^\s*(https?:|\uFDD0)/i;

/** An HTML body that knows its links: they are found once, not for each recipient. */
export class LinkedHtml {
  private constructor(
    private readonly content: readonly Part[],
    /** What stands behind the end of the body. */
    private readonly rest: readonly Part[],
  ) {}

  static of(source: MarkedSource): LinkedHtml {
    const { links, end } = htmlLandmarks(source.text);
    const web = links.filter(({ address }) => MAY_LEAD_TO_THE_WEB.test(address)).slice(0, MOST_LINKS);
    const numbered = web.map((link, index) => ({ ...link, number: index + 1 }));
    return new LinkedHtml(partsOf(source, numbered, 0, end), partsOf(source, numbered, end, source.text.length));
  }

  /** As `Template.renderHtml`, byte for byte, but for what is added. Throws RenderedTooLong. */
  render(values: TemplateValues, additions: HtmlAdditions): string {
    const content = render(this.content, values, additions);
    const rest = render(this.rest, values, additions);
    return content + additions.ending() + rest;
  }
}

/** The parts of a stretch of the source. */
function partsOf(source: MarkedSource, links: readonly NumberedSpan[], from: number, to: number): Part[] {
  const parts: Part[] = [];
  let at = from;
  for (const { number, start, end, address } of links.filter((link) => link.start >= from && link.start < to)) {
    const written = source.template(source.text.slice(start, end));
    parts.push(source.template(source.text.slice(at, start)), { number, written, address: source.template(address) });
    at = end;
  }
  return [...parts, source.template(source.text.slice(at, to))];
}

function render(parts: readonly Part[], values: TemplateValues, additions: HtmlAdditions): string {
  let rendered = '';
  for (const part of parts) {
    rendered += 'address' in part ? renderLink(part, values, additions) : part.renderHtml(values);
    if (rendered.length > LONGEST_RENDERED) throw new RenderedTooLong();
  }
  return rendered;
}

function renderLink({ number, written, address }: Link, values: TemplateValues, additions: HtmlAdditions): string {
  const instead = additions.redirect(address.renderText(values), number);
  return instead === undefined ? written.renderHtml(values) : escapeHtml(instead);
}
