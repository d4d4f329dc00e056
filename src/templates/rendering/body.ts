import { toPlainText, withoutGaps } from './plain-text.js';
import { parseTemplate } from './template-parser.js';
import { Template, type Variable } from './template.js';
import type { TemplateValues } from './template-values.js';

/**
 * An HTML body and its text part. Converting HTML costs more than all else in composing, so it is done once, with the
 * variables in it, and the text is filled in for each recipient.
 */
export class Body {
  private constructor(
    readonly html: Template,
    readonly text: Template,
  ) {}

  /** Throws TemplateSyntaxError. */
  static parse(source: string): Body {
    const html = parseTemplate(source);
    return new Body(html, textOf(html));
  }

  /** The HTML part, see `Template.renderHtml`. Throws RenderedTooLong. */
  renderHtml(values: TemplateValues): string {
    return this.html.renderHtml(values);
  }

  /** The text part. A paragraph that has nothing to say leaves no gap. Throws RenderedTooLong. */
  renderText(values: TemplateValues): string {
    return withoutGaps(this.text.renderText(values));
  }
}

// Noncharacters, which no text holds (Unicode, 23.7). Between two of them a variable's number stands for it, so that
// neither its blanks nor its default are converted, and a link whose words are its address is seen to be one.
const MARKED = /\uFDD0(\d+)\uFDD1/;
const mark = (number: number): string => `\uFDD0${number}\uFDD1`;

function textOf({ pieces }: Template): Template {
  const numbers = new Map<string, number>();
  const variables: Variable[] = [];
  const marked = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const key = `${piece.name} ${piece.fallback}`;
    const number = numbers.get(key) ?? variables.push(piece) - 1;
    numbers.set(key, number);
    return mark(number);
  });
  // Every other part is a number.
  const parts = toPlainText(marked.join('')).split(MARKED);
  return new Template(parts.flatMap((part, index) => (index % 2 === 0 ? part || [] : (variables[Number(part)] ?? []))));
}
