import { ValidationFailed } from '../platform/errors/index.js';

/** The webhook's host is, or can only be, at an address that is not public. */
export class UrlNotPublic extends ValidationFailed {
  constructor(fault: string) {
    super({ url: [fault] });
  }
}
