import { RuleViolated } from '../../platform/errors/index.js';

/** The most characters that come of a template: mail servers refuse what is larger. */
export const MAX_RENDERED_LENGTH = 10 * 1024 * 1024;

/** A template names long values so often that no mail server would take what comes of it. */
export class RenderedTooLong extends RuleViolated {
  constructor() {
    super(`Filled in, the template is longer than ${MAX_RENDERED_LENGTH} characters.`);
  }
}
