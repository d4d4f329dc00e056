import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import type { DueAccount } from '../release.queries.js';

/** Why a message waits whose contact has no value for a required variable of its step, as the API shows it. */
export const MISSING_VARIABLE = 'missing_variable';

/** SQL condition on `contact` and `step`: the contact has no value for a required variable of the step. */
export const lacksVariable: Sql = sql`(cardinality(step.required_variables) > 0
  AND has_empty_variable(to_jsonb(contact) - 'search_text', step.required_variables))`;

/**
 * SELECT of whether the contacts of `recipient` lack a required variable of their step. They are locked, so that a change waits
 * and then finds the message that waits for it. A contact that another transaction is changing is left out: waiting for it could
 * take as long as an import, and could be a deadlock.
 */
export const selectLacking = (scope: WorkspaceScope, lock: (clause: Sql) => Sql): Sql =>
  sql`SELECT contact.id AS contact_id, ${lacksVariable} AS lacks_variable FROM recipient
      JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = recipient.contact_id
      JOIN campaign_steps step ON step.workspace_id = ${scope} AND step.id = recipient.step_id
      WHERE recipient.has_requirements ${lock(sql`FOR SHARE OF contact SKIP LOCKED`)}`;

/**
 * Makes the messages of a step due whose contacts lack none of its required variables any more.
 * @returns the accounts that have due messages now
 */
export function releaseOfStep(tx: WorkspaceScope, stepId: number): Promise<DueAccount[]> {
  const waits = sql`message.waits_for_contact AND message.step_id = ${stepId}`;
  return tx.query(
    sql`WITH complete AS (
          SELECT message.id FROM queued_messages message
          JOIN contacts contact ON contact.workspace_id = ${tx} AND contact.id = message.contact_id
          JOIN campaign_steps step ON step.workspace_id = ${tx} AND step.id = message.step_id
          WHERE message.workspace_id = ${tx} AND ${waits} AND NOT ${lacksVariable}
        ), due AS (
          UPDATE queued_messages message SET waits_for_contact = FALSE, reason = NULL, next_attempt_at = ${tx.now},
            updated_at = ${tx.now}
          WHERE message.workspace_id = ${tx} AND ${waits} AND message.id = ANY(ARRAY(SELECT id FROM complete))
          RETURNING message.email_account_id
        )
        SELECT DISTINCT email_account_id FROM due WHERE email_account_id IS NOT NULL`,
  );
}
