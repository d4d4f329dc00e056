import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import { makeDue } from '../release.queries.js';
import { type AccountRule, effect } from '../rule.js';
import { type Wait, waitOf } from '../wait.js';

/** Nothing can be sent until the account is switched on, or the campaign gets one. */
export const NO_ACCOUNT = notBefore('account_inactive', null);

/** The message was refused with its account, and waits until a user makes that active again. */
export const ACCOUNT_REFUSED: Wait = { ...waitOf({ at: null, reason: 'account_inactive' }), refundsAttempt: true };

interface ActiveFacts {
  readonly is_active: boolean;
}

export const accountOff: AccountRule<ActiveFacts, 'account_inactive'> = {
  /** The email account is switched off, or the campaign has none. */
  reason: 'account_inactive',
  level: 'account',
  columns: () => sql`account.is_active`,
  timing: ({ is_active: isActive }) => (isActive ? null : NO_ACCOUNT),
  stop: { when: () => sql`account.is_active IS NOT TRUE`, then: 'stopped' },
  effects: [
    effect('email_account.updated', (scope, { email_account_id: id }) =>
      makeDue(scope, sql`message.email_account_id = ${id}`, ['account_inactive']),
    ),
  ],
};
