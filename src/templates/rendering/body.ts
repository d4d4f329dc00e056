import { type HtmlAdditions, LinkedHtml } from './linked-html.js';
import { PlaceholderSource } from './placeholder-source.js';
import { toPlainText, collapseBlankLines } from './plain-text.js';
import { parseTemplate } from './template-parser.js';
import type { ParsedTemplate } from './parsed-template.js';
import type { TemplateValues } from './template-values.js';

/**
 * An HTML body and its text part. Converting HTML costs more than all else in composing, so it is done once, with the
 * variables in it, and the text is filled in for each recipient. So are its links found.
 */
export class Body {
  private constructor(
    readonly html: ParsedTemplate,
    readonly text: ParsedTemplate,
    private readonly linked: LinkedHtml,
  ) {}

  /** Throws TemplateSyntaxError. */
  static parse(source: string): Body {
    const html = parseTemplate(source);
    const placeholders = new PlaceholderSource(html);
    return new Body(html, placeholders.template(toPlainText(placeholders.text)), LinkedHtml.of(placeholders));
  }

  /** The HTML part, see `Template.renderHtml`, with what the message adds. Throws RenderedTooLong. */
  renderHtml(values: TemplateValues, additions?: HtmlAdditions): string {
    return additions ? this.linked.render(values, additions) : this.html.renderHtml(values);
  }

  /** The text part. A paragraph that has nothing to say leaves no gap. Throws RenderedTooLong. */
  renderText(values: TemplateValues): string {
    return collapseBlankLines(this.text.renderText(values));
  }
}
