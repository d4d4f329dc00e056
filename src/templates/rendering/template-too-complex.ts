import { RuleViolated } from '../../platform/errors/index.js';

/** The conversion of a body to text takes too much time or memory. */
export class TemplateTooComplex extends RuleViolated {
  constructor(seconds: number) {
    super(`The body cannot be converted to text within ${seconds} seconds. Its HTML must be simplified.`);
  }
}
