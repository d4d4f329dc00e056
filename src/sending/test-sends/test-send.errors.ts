import { defineReason, defineReasons, RuleViolated } from '../../platform/errors/index.js';
import type { WaitReason } from '../rules/index.js';

const NO_ACCOUNT = defineReason(
  'no_account',
  422,
  'The campaign has no active email account that could send the test.',
);
/** The limits of an account. One that was switched off meanwhile has its own error. */
const LIMITS = defineReasons(422, {
  daily_limit: 'The email accounts of the campaign have reached their limit of the day.',
  provider_limit: 'The email accounts of the campaign have reached a limit of their provider.',
  min_seconds_between: 'The last message of the email accounts of the campaign is too recent.',
});

/** Why an account that is active may not send now. */
export type AccountLimit = keyof typeof LIMITS;

/** Whether a message waits because of a limit of its account. */
export const isAccountLimit = (reason: WaitReason): reason is AccountLimit => reason in LIMITS;

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
  constructor(reason: AccountLimit, at: Date | null) {
    super(
      LIMITS[reason],
      `The email accounts of the campaign may not send now (${reason})${at ? `, but from ${at.toISOString()}` : ''}.`,
    );
  }
}
