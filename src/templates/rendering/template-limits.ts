import { defineReason, RuleViolated } from '@outreach/http-errors';

const TEMPLATE_TOO_LARGE = defineReason(
  'template_too_large',
  422,
  'A stored subject or body has more than 256 KB or 500 variables.',
);

const MAX_TEMPLATE_KILOBYTES = 256;
const MAX_TEMPLATE_BYTES = MAX_TEMPLATE_KILOBYTES * 1024;

/** The maximum number of variables in a subject or a body, each occurrence counted. */
export const MAX_VARIABLES = 500;

/** A subject or a body exceeds a limit of templates (API v1, "Template"): its size, or its number of variables. */
export class TemplateTooLarge extends RuleViolated {
  constructor(message: string) {
    super(TEMPLATE_TOO_LARGE, message);
  }
}

/** @throws TemplateTooLarge if the source is longer than 256 KB in UTF-8 */
export function assertTemplateSize(source: string): void {
  if (source.length <= MAX_TEMPLATE_BYTES && Buffer.byteLength(source) <= MAX_TEMPLATE_BYTES) return;
  throw new TemplateTooLarge(`The text of a template is at most ${MAX_TEMPLATE_KILOBYTES} KB.`);
}

/** Returns the error for a template with more than {@link MAX_VARIABLES} variables. */
export const tooManyVariables = (): TemplateTooLarge =>
  new TemplateTooLarge(`A template has at most ${MAX_VARIABLES} variables; each occurrence counts.`);
