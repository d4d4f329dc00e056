import { RuleViolated } from '../platform/errors/index.js';

/** 422: finding the contacts of the segment takes longer than the timeout. */
export class SegmentTooExpensive extends RuleViolated {
  constructor() {
    super('segment too expensive: its conditions take too long on so many contacts. Add a narrower one.');
  }
}
