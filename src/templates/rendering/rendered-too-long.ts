import { defineReason, RuleViolated } from '@outreach/http-errors';

const RENDERED_TOO_LONG = defineReason(
  'rendered_too_long',
  422,
  'The subject or the body is too long when its variables are filled in.',
);

/**
 * The maximum length of a rendered body, in UTF-16 units; mail programs cut off messages that are a tenth as long. It
 * bounds the time of each step from the body to the encoded message.
 */
export const MAX_RENDERED_LENGTH = 1024 * 1024;

/** The maximum length of a rendered subject, in UTF-16 units: 500 of the template, and some values. */
export const MAX_RENDERED_SUBJECT_LENGTH = 2_000;

/** A rendered template is too long to be sent, because it contains long values many times. */
export class RenderedTooLong extends RuleViolated {
  constructor(part: 'subject' | 'body', max: number) {
    super(RENDERED_TOO_LONG, `The rendered ${part} is longer than ${max} characters.`);
  }
}
