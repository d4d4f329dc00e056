import { parseTemplate } from '@outreach/template-language';
import type { Template } from '../template.entity.js';
import { templateError } from '../template-errors.js';
import { type TemplateValues, valueReader } from '../template-values.js';
import { sampleTemplateValues } from './sample-values.js';

/** A rendered subject and HTML body. */
export type Preview = Pick<Template, 'subject' | 'body'>;

/**
 * Renders a template as a recipient would see it: values are escaped in the body and lose line breaks in the subject.
 * @param values by default built-in samples, so that no variable is empty
 * @param message values that replace the samples
 * @throws RuleViolated if the template, or what is rendered, is too long
 * @throws TemplateSyntaxError if the template was not validated when it was saved
 */
export function renderPreview(
  template: Pick<Template, 'subject' | 'body'>,
  values?: TemplateValues,
  message: TemplateValues = {},
): Preview {
  try {
    const subject = parseTemplate(template.subject);
    const body = parseTemplate(template.body);
    const filledIn = valueReader(values ?? { ...sampleTemplateValues([subject, body]), ...message });
    return { subject: subject.renderSubject(filledIn), body: body.renderHtml(filledIn) };
  } catch (error) {
    throw templateError(error);
  }
}
