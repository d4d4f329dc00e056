import { RuleViolated } from '../platform/errors/index.js';

/** 422: finding out who is in the segment takes longer than one workspace may keep the database busy. */
export class SegmentTooExpensive extends RuleViolated {
  constructor() {
    super('segment too expensive: its conditions take too long on so many contacts. Add a narrower one.');
  }
}
