import { defineReason, RuleViolated, TooManyRequests } from '@outreach/http-errors';

/** Ends a command or the process. The message is for the operator: one line for each thing to correct. */
export abstract class OperatorError extends Error {}

const BUSY = defineReason(
  'busy',
  429,
  'The workspace has as much work in progress as it may have. Repeat the request later.',
);

/** 429: the workspace has as much work in progress and waiting as it may have. The client repeats the request later. */
export class Busy extends TooManyRequests {
  override readonly reason = BUSY;
}

const LIMIT_REACHED = defineReason(
  'limit_reached',
  422,
  'The workspace has as many records of this kind as it may have.',
);

/** 422: the workspace has as many records of this kind as it may have. */
export class LimitReached extends RuleViolated {
  /** @param records what there are too many of, e.g. "webhooks" */
  constructor(limit: number, records: string) {
    super(LIMIT_REACHED, `A workspace can have at most ${limit.toLocaleString('en')} ${records}.`);
  }
}
