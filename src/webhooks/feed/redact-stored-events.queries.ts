import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RETAINED_KEYS } from '../webhook-event.queries.js';

/**
 * Redacts the events to read of a contact: of their `data` only IDs stay. It reads the rows of the workspace, not their data,
 * which is stored apart; an index on the contacts would cost each message more.
 * @param which a condition on `batch` and `item.element`, the `data` of an event, if not all of the contact are meant
 * @returns how many batches with events of the contact there were
 */
export const redactStoredEvents = (scope: WorkspaceScope, contactId: number, which: Sql = sql`TRUE`): Promise<number> =>
  scope.execute(
    sql`UPDATE event_batches batch SET data = (
          SELECT '[' || string_agg(CASE
            WHEN item.element ->> CASE WHEN batch.event LIKE 'contact.%' THEN 'id' ELSE 'contact_id' END = ${contactId}::bigint::text
              AND (${which})
            THEN (SELECT coalesce(json_object_agg(field.key, field.value), '{}'::json)::text
                  FROM json_each(item.element) field WHERE field.key = ANY(${RETAINED_KEYS}::text[]))
            ELSE item.element::text END, ',' ORDER BY item.position) || ']'
          FROM json_array_elements(batch.data::json) WITH ORDINALITY AS item (element, position))
        WHERE batch.workspace_id = ${scope} AND batch.contact_ids @> ARRAY[${contactId}::bigint]`,
  );
