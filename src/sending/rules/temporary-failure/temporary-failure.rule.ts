import { sql } from '../../../platform/database/index.js';
import { effect, type MessageReason } from '../rule.js';
import { makeDue } from '../release.queries.js';
import type { Wait } from '../wait.js';

/** The reason of a message that waits for its next attempt. */
export const TEMPORARY_FAILURE = 'temporary_failure';

/** The message waits for its next attempt. */
export const temporaryFailure = (minutes: number): Wait => ({
  reason: TEMPORARY_FAILURE,
  until: (scope) => sql`${scope.now} + make_interval(mins => ${minutes})`,
});

/** The last attempt has failed: it is due after some minutes, or as soon as its provider can be used again. */
export const failedAttempt: MessageReason<typeof TEMPORARY_FAILURE> = {
  /** The last attempt to send it has failed, and is repeated. */
  reason: TEMPORARY_FAILURE,
  level: 'message',
  isStoredTime: true,
  effects: [
    // What the server of a recipient has deferred waits as before.
    effect('email_account.reachable', (scope, { email_account_id: id }) => {
      const which = sql`message.email_account_id = ${id} AND message.waits_for_provider`;
      return makeDue(scope, which, [TEMPORARY_FAILURE]);
    }),
  ],
};
