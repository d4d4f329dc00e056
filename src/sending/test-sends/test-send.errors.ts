import type { WaitReason } from '../../campaigns/index.js';
import { RuleViolated } from '../../platform/errors/index.js';

/** 422: the campaign has no active account that could send. */
export class NoUsableAccount extends RuleViolated {
  override readonly reason = 'no_account';
  constructor() {
    super('The campaign has no active email account: neither one of email_account_ids, nor a default account.');
  }
}

/** 422: the accounts of the campaign may not send now. */
export class AccountMayNotSend extends RuleViolated {
  override readonly reason: WaitReason;
  constructor(reason: WaitReason, at: Date | null) {
    super(
      `The email accounts of the campaign may not send now (${reason})${at ? `, but from ${at.toISOString()}` : ''}.`,
    );
    this.reason = reason;
  }
}

/** 422: nothing is sent to addresses on the blacklist. */
export class AddressBlacklisted extends RuleViolated {
  override readonly reason = 'blacklisted';
  constructor() {
    super('The address is blacklisted.');
  }
}
