import { type HtmlAdditions, LinkedHtml } from './linked-html.js';
import { PlaceholderSource } from './placeholder-source.js';
import { toPlainText, collapseBlankLines } from './plain-text.js';
import { parseCompleted } from './template-parser.js';
import type { ParsedTemplate } from './parsed-template.js';
import type { TemplateValues } from './template-values.js';

/**
 * An HTML body and its text part. The conversion to text is the most expensive part of composing a message, so it
 * happens once, with placeholders for the variables, which are replaced for each recipient. Links are found once too.
 */
export class TemplateBody {
  private constructor(
    readonly html: ParsedTemplate,
    readonly text: ParsedTemplate,
    private readonly linked: LinkedHtml,
  ) {}

  /**
   * @param complete adds to the source before it is parsed, for example a footer; the limits do not count what it adds
   * @throws TemplateSyntaxError, TemplateTooLarge
   */
  static parse(source: string, complete: (source: string) => string = (unchanged) => unchanged): TemplateBody {
    const html = parseCompleted(source, complete);
    const placeholders = new PlaceholderSource(html);
    return new TemplateBody(html, placeholders.template(toPlainText(placeholders.text)), LinkedHtml.of(placeholders));
  }

  /** Returns the HTML part, rendered as by `ParsedTemplate.renderHtml`, with the additions. @throws RenderedTooLong */
  renderHtml(values: TemplateValues, additions?: HtmlAdditions): string {
    return additions ? this.linked.render(values, additions) : this.html.renderHtml(values);
  }

  /** Returns the text part. A paragraph whose variables are all empty leaves no blank lines. @throws RenderedTooLong */
  renderText(values: TemplateValues): string {
    return collapseBlankLines(this.text.renderText(values));
  }
}
