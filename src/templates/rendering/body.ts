import { type HtmlAdditions, LinkedHtml } from './linked-html.js';
import { MarkedSource } from './marked-source.js';
import { toPlainText, withoutGaps } from './plain-text.js';
import { parseTemplate } from './template-parser.js';
import type { Template } from './template.js';
import type { TemplateValues } from './template-values.js';

/**
 * An HTML body and its text part. Converting HTML costs more than all else in composing, so it is done once, with the
 * variables in it, and the text is filled in for each recipient. So are its links found.
 */
export class Body {
  private constructor(
    readonly html: Template,
    readonly text: Template,
    private readonly linked: LinkedHtml,
  ) {}

  /** Throws TemplateSyntaxError. */
  static parse(source: string): Body {
    const html = parseTemplate(source);
    const marked = new MarkedSource(html);
    return new Body(html, marked.template(toPlainText(marked.text)), LinkedHtml.of(marked));
  }

  /** The HTML part, see `Template.renderHtml`, with what the message adds. Throws RenderedTooLong. */
  renderHtml(values: TemplateValues, additions?: HtmlAdditions): string {
    return additions ? this.linked.render(values, additions) : this.html.renderHtml(values);
  }

  /** The text part. A paragraph that has nothing to say leaves no gap. Throws RenderedTooLong. */
  renderText(values: TemplateValues): string {
    return withoutGaps(this.text.renderText(values));
  }
}
