import { defineReason, defineReasons, RuleViolated } from '@outreach/http-errors';
import { TEST_REFUSALS } from '../rules/index.js';

const NO_ACCOUNT = defineReason(
  'no_account',
  422,
  'The campaign has no active email account that could send the test.',
);
/** The limits of an account. One that was switched off meanwhile has its own error. */
const LIMITS = new Map(Object.entries(defineReasons(422, TEST_REFUSALS)));

/** Whether an account that waits for this reason has reached a limit. */
export const isLimit = (reason: string | null): reason is string => reason !== null && LIMITS.has(reason);

/** 422: the campaign has no active account that could send. */
export class NoUsableAccount extends RuleViolated {
  constructor() {
    super(
      NO_ACCOUNT,
      'The campaign has no active email account: neither one of email_account_ids, nor a default account.',
    );
  }
}

/** 422: the accounts of the campaign may not send now. */
export class AccountMayNotSend extends RuleViolated {
  constructor(reason: string, at: Date | null) {
    super(
      LIMITS.get(reason) ?? NO_ACCOUNT,
      `The email accounts of the campaign may not send now (${reason})${at ? `, but from ${at.toISOString()}` : ''}.`,
    );
  }
}
