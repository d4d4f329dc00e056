import { customRule } from '../platform/http/index.js';
import { parseTemplate, TemplateSyntaxError } from './rendering/index.js';

/**
 * A class-validator rule: the string parses as a template. The message contains line, column and reason of the first
 * error. A value that is not a string passes, because other rules of the field reject it.
 */
export const IsTemplateText = (): PropertyDecorator =>
  customRule('isTemplateText', [], {
    validate: (value) => syntaxErrorOf(value) === undefined,
    message: (field, about) => `${field} is not a valid template: ${syntaxErrorOf(about?.value)?.message}`,
  });

function syntaxErrorOf(value: unknown): TemplateSyntaxError | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    parseTemplate(value);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
}
