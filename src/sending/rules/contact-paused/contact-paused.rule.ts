import { notBefore } from '@outreach/time-windows';
import { sql } from '../../../platform/database/index.js';
import type { ContactRule } from '../rule.js';
import { ContactPauseController } from './contact-pause.controller.js';
import { CONTACT_PAUSED, ContactPauses } from './contact-pauses.service.js';

interface PauseFacts {
  /** Until then the contact gets nothing of a campaign. */
  readonly paused_until?: Date | null;
}

/** A user has paused the contact until an instant. */
export const contactPaused: ContactRule<PauseFacts, typeof CONTACT_PAUSED> = {
  /** The contact is paused. */
  reason: CONTACT_PAUSED,
  level: 'contact',
  timing: (_, { paused_until: until }) => (until ? notBefore(CONTACT_PAUSED, until) : null),
  facts: {
    // Waiting for a contact that is being changed could take as long as an import, and could be a deadlock.
    select: (scope, lock) => sql`SELECT id AS contact_id, paused_until FROM contacts
      WHERE workspace_id = ${scope} AND id = ANY (ARRAY(SELECT recipient.contact_id FROM recipient))
        AND paused_until > ${scope.now} ${lock(sql`FOR SHARE SKIP LOCKED`)}`,
    columns: sql`contact_paused.paused_until`,
    isChanging: (scope) => sql`contact_paused.contact_id IS NULL AND EXISTS (SELECT 1 FROM contacts contact
      WHERE contact.workspace_id = ${scope} AND contact.id = recipient.contact_id AND contact.paused_until > ${scope.now})`,
  },
  stop: { when: (scope) => sql`contact.paused_until > ${scope.now}`, then: 'waiting' },
  isStoredTime: true,
  controllers: [ContactPauseController],
  providers: [ContactPauses],
};
