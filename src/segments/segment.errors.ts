import { defineReason, RuleViolated } from '@outreach/http-errors';

const SEGMENT_TOO_EXPENSIVE = defineReason(
  'segment_too_expensive',
  422,
  'Finding the contacts of the segment takes longer than the time limit. Add a narrower condition.',
);

/** 422: finding the contacts of the segment takes longer than the timeout. */
export class SegmentTooExpensive extends RuleViolated {
  constructor() {
    super(
      SEGMENT_TOO_EXPENSIVE,
      'segment too expensive: its conditions take too long on so many contacts. Add a narrower one.',
    );
  }
}
