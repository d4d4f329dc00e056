import { Injectable } from '@nestjs/common';
import { GlobalBlacklist } from '../../blacklist/index.js';
import { ContactRefusals } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type RecipientObstacle, RecipientRefused } from './recipient.errors.js';

/** To whom a single message would go. */
export interface Recipient {
  /** In lower case, as it is stored. */
  readonly address: string;
  /** The contact to whom it is written, whose own address may be another one; null if it is written to the address alone. */
  readonly contact_id: number | null;
}

/** Finds out whether a message that a person sends outside of a campaign's steps may be sent to its recipient. */
@Injectable()
export class RecipientObstacles {
  constructor(
    private readonly blacklist: GlobalBlacklist,
    private readonly refusals: ContactRefusals,
  ) {}

  /**
   * Checks the contact, the contact that has the address, what is remembered of the address after its contact is gone, and
   * the blacklist.
   * @throws RecipientRefused
   */
  async assertMayReceive(scope: WorkspaceScope, { address, contact_id: contactId }: Recipient): Promise<void> {
    const isRecipient = sql`contact.workspace_id = ${scope}
      AND (contact.id = ${contactId}::bigint OR contact.email = ${address}::text)`;
    const [row] = await scope.query<{ obstacle: RecipientObstacle | null }>(
      sql`SELECT coalesce(
            (SELECT contact.status FROM contacts contact WHERE ${isRecipient} AND contact.status <> 'active'
              ORDER BY contact.id = ${contactId}::bigint DESC NULLS LAST LIMIT 1),
            ${this.refusals.status(scope, address)},
            CASE WHEN ${this.blacklist.isListed(scope, sql`${address}::text`)}
              OR EXISTS (SELECT 1 FROM contacts contact
                WHERE ${isRecipient} AND ${this.blacklist.isListed(scope, sql`contact.email`)}) THEN 'blacklisted' END
          ) AS obstacle`,
    );
    if (row?.obstacle) throw new RecipientRefused(row.obstacle);
  }
}
