import { RuleViolated } from '../../platform/errors/index.js';

/**
 * The maximum length of a rendered template, in UTF-16 units. To encode a message of this length takes some ten
 * milliseconds, during which the process does nothing else; mail programs cut off messages that are a tenth as long.
 */
export const MAX_RENDERED_LENGTH = 1024 * 1024;

/** A rendered template is too long to be sent, because it contains long values many times. */
export class RenderedTooLong extends RuleViolated {
  constructor() {
    super(`The rendered template is longer than ${MAX_RENDERED_LENGTH} characters.`);
  }
}
