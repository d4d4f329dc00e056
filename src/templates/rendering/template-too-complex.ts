import { defineReason, RuleViolated } from '@outreach/http-errors';

const TEMPLATE_TOO_COMPLEX = defineReason(
  'template_too_complex',
  422,
  'The body takes too long to be converted to text. Simplify its HTML.',
);

/** The conversion of a body to text takes too much time or memory. */
export class TemplateTooComplex extends RuleViolated {
  constructor(seconds: number) {
    super(
      TEMPLATE_TOO_COMPLEX,
      `The body cannot be converted to text within ${seconds} seconds. Its HTML must be simplified.`,
    );
  }
}
