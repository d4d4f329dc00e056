import { RuleViolated } from '../../platform/errors/index.js';

/** The maximum length of a rendered template, in UTF-16 units: mail servers refuse larger messages. */
export const MAX_RENDERED_LENGTH = 10 * 1024 * 1024;

/** A rendered template exceeds what mail servers accept, because it contains long values many times. */
export class RenderedTooLong extends RuleViolated {
  constructor() {
    super(`The rendered template is longer than ${MAX_RENDERED_LENGTH} characters.`);
  }
}
