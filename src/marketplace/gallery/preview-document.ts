import { isDocument, previewPage, type ShownTemplate } from '@outreach/gallery-pages';
import { type Preview, renderPreview } from '../../templates/index.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import { sampleValues } from './sample-values.js';

/** The texts of a template, and their language. */
type TemplateText = Pick<MarketplaceTemplate, 'subject' | 'body' | 'locale'>;

/** Returns the subject, rendered with sample values. */
export const subjectOf = ({ subject, locale }: Omit<TemplateText, 'body'>): string =>
  rendered({ subject, body: '', locale }).subject;

/** Returns a template with its subject as a recipient would see it. */
export const shown = <T extends Omit<TemplateText, 'body'>>(template: T): T & Pick<ShownTemplate, 'shown_subject'> => ({
  ...template,
  shown_subject: subjectOf(template),
});

/** Returns the body as a recipient would see it; a fragment is wrapped in a document. @throws RuleViolated if it is too long */
export const previewDocument = (template: TemplateText): string =>
  previewPage({ ...rendered(template), locale: template.locale }, isDocument(template.body));

const rendered = (template: TemplateText): Preview => renderPreview(template, undefined, sampleValues(template.locale));
