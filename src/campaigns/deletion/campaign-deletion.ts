import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CreationCursor } from '../enrollments/creation-cursor.js';
import { deleteCounter } from '../protection/campaign-rates.queries.js';
import { deleteCampaign, deleteEnrollments, lockDeleted, nextEnrollments } from './campaign-deletion.queries.js';

/** Deletes campaigns in chunks, each in a transaction of its own, so that their locks are short. */
@Injectable()
export class CampaignDeletion {
  constructor(private readonly events: DomainEvents) {}

  /**
   * Deletes some enrollments of a campaign that is marked as deleted, with all that belongs to them; with the last ones, the
   * campaign.
   * @param after the cursor that the chunk before has returned
   * @returns undefined if that was all, or another worker deletes the campaign
   */
  async deleteChunk(tx: WorkspaceScope, id: number, after: CreationCursor): Promise<CreationCursor | undefined> {
    if (!(await lockDeleted(tx, id))) return undefined;
    const { ids, next } = await nextEnrollments(tx, id, after);
    if (ids.length > 0) {
      await this.events.publish(tx, 'enrollments.removed', { enrollments: sql`SELECT unnest(${[...ids]}::bigint[])` });
      await deleteEnrollments(tx, ids);
    }
    if (next) return next;
    await this.events.publish(tx, 'campaign.deleted', { campaign_id: id });
    await deleteCampaign(tx, id);
    await deleteCounter(tx, id);
    return undefined;
  }
}
