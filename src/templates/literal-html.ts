import { assertStorable, BodyCache, TemplateTooLarge, valuesOf } from '@outreach/template-language';
import { customRule } from '@outreach/http-api/fields';

/** `{{` and `{%`, which templates read as the beginning of a variable or a tag. */
const OPENING_BRACES = /\{(?=[{%])/g;

/** Returns a template that renders as the HTML: its braces are references, so that it has no variables. */
const literalTemplate = (html: string): string => html.replace(OPENING_BRACES, '&#123;');

const bodies = new BodyCache();
const NO_VALUES = valuesOf({});

/**
 * Returns the text part of HTML in which nothing is filled in, without occupying the event loop for long.
 * @throws TemplateTooLarge, TemplateTooComplex
 */
export async function literalText(html: string, owner: number): Promise<string> {
  const body = await bodies.load(literalTemplate(html), owner);
  return body.renderText(NO_VALUES);
}

/**
 * A class-validator rule: the string is HTML within the limits of a template's body, in which nothing is filled in. A value
 * that is not a string passes, because other rules of the field reject it.
 */
export const IsLiteralHtml = (): PropertyDecorator =>
  customRule('isLiteralHtml', [], {
    validate: (value) => typeof value !== 'string' || !isTooLarge(value),
    message: (field) => `${field} must have at most 256 KB`,
    schema: {},
  });

function isTooLarge(html: string): boolean {
  try {
    assertStorable(literalTemplate(html));
    return false;
  } catch (error) {
    if (error instanceof TemplateTooLarge) return true;
    throw error;
  }
}
