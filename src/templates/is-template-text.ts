import { assertStorable, TemplateSyntaxError, TemplateTooLarge } from '@outreach/template-language';
import { customRule } from '@outreach/http-api/fields';

/**
 * A class-validator rule: the string is a template that can be rendered, within the limits of templates. The message
 * contains line, column and reason of the first error. A value that is not a string passes, because other rules of the
 * field reject it.
 */
export const IsTemplateText = (): PropertyDecorator =>
  customRule('isTemplateText', [], {
    validate: (value) => templateErrorOf(value) === undefined,
    message: (field, about) => `${field} is not a valid template: ${templateErrorOf(about?.value)?.message}`,
    schema: {},
  });

function templateErrorOf(value: unknown): TemplateSyntaxError | TemplateTooLarge | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    assertStorable(value);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError || error instanceof TemplateTooLarge) return error;
    throw error;
  }
}
