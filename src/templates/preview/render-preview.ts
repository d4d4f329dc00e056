import { parseTemplate, type TemplateValues } from '../rendering/index.js';
import type { Template } from '../template.entity.js';
import { sampleValues } from './sample-values.js';

/** A subject and an HTML body, filled in. */
export type Preview = Pick<Template, 'subject' | 'body'>;

/**
 * A template as a recipient would see it: values are escaped in the body and kept on one line in the subject.
 * @param values built-in samples unless given: no variable is left empty
 * @throws RenderedTooLong
 * @throws TemplateSyntaxError for a text that was not checked when it was saved
 */
export function renderPreview(template: Pick<Template, 'subject' | 'body'>, values?: TemplateValues): Preview {
  const subject = parseTemplate(template.subject);
  const body = parseTemplate(template.body);
  const filledIn = values ?? sampleValues([subject, body]);
  return { subject: subject.renderSubject(filledIn), body: body.renderHtml(filledIn) };
}
