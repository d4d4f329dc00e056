import { type BodyConversion, convertBody, type Footer } from './convert-body.js';
import { type HtmlAdditions, LinkedHtml } from './linked-html.js';
import { PlaceholderSource } from './placeholder-source.js';
import { collapseBlankLines } from './plain-text.js';
import { parseUnlimited } from './template-parser.js';
import type { ParsedTemplate } from './parsed-template.js';
import type { ValueReader } from './values.js';

/** The two parts of a message. */
export interface RenderedBody {
  readonly html: string;
  readonly text: string;
}

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

  /** Converts and parses a source. @throws TemplateSyntaxError, TemplateTooLarge */
  static parse(source: string, footer?: Footer): TemplateBody {
    return TemplateBody.of(convertBody({ source, footer }));
  }

  static of(conversion: BodyConversion): TemplateBody {
    const html = parseUnlimited(conversion.source);
    const placeholders = new PlaceholderSource(html);
    return new TemplateBody(html, placeholders.template(conversion.text), LinkedHtml.of(placeholders, conversion));
  }

  /** Renders both parts in steps, none of which takes long. @throws RenderedTooLong */
  *render(values: ValueReader, additions?: HtmlAdditions): Generator<undefined, RenderedBody> {
    const html = additions ? yield* this.linked.render(values, additions) : this.renderHtml(values);
    yield;
    return { html, text: this.renderText(values) };
  }

  /** Returns the HTML part without additions, rendered as by `ParsedTemplate.renderHtml`. @throws RenderedTooLong */
  renderHtml(values: ValueReader): string {
    return this.html.renderHtml(values);
  }

  /** Returns the text part. A paragraph whose variables are all empty leaves no blank lines. @throws RenderedTooLong */
  renderText(values: ValueReader): string {
    return collapseBlankLines(this.text.renderText(values));
  }
}
