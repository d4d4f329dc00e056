import { RenderedTooLong, TemplateTooComplex, TemplateTooLarge } from '@outreach/template-language';
import { defineReason, RuleViolated } from '@outreach/http-errors';

/** The limits of templates (API v1, "Template"), by the errors of the language. */
const REASONS = [
  {
    error: TemplateTooLarge,
    reason: defineReason('template_too_large', 422, 'A stored subject or body has more than 256 KB or 500 variables.'),
  },
  {
    error: TemplateTooComplex,
    reason: defineReason(
      'template_too_complex',
      422,
      'The body takes too long to be converted to text. Simplify its HTML.',
    ),
  },
  {
    error: RenderedTooLong,
    reason: defineReason(
      'rendered_too_long',
      422,
      'The subject or the body is too long when its variables are filled in.',
    ),
  },
];

/** Returns RuleViolated for a template that exceeds a limit, and any other error as it is. */
export function templateError(thrown: unknown): unknown {
  const violated = REASONS.find(({ error }) => thrown instanceof error);
  return violated && thrown instanceof Error ? new RuleViolated(violated.reason, thrown.message) : thrown;
}
