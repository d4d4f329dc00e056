import { IsIn, IsOptional } from 'class-validator';
import { IsDayOrInstant } from '@outreach/http-api/fields';
import type { Sql } from '../../platform/database/index.js';
import { changedSince, ListQuery } from '../../platform/tenancy/index.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign/campaign.entity.js';

export class CampaignListQuery extends ListQuery({
  sort: ['created_at', 'name', 'status', 'updated_at', 'started_at'],
  search: ['name'],
  enums: { status: CAMPAIGN_STATUSES },
  filters: ['status'],
}) {
  /** Only campaigns with this status. */
  @IsOptional() @IsIn(CAMPAIGN_STATUSES) status?: CampaignStatus;
  /**
   * Only campaigns that have changed since this instant (or the beginning of this day in UTC), included. To follow changes, ask
   * for the time of the request before less five minutes: a change that takes long to be stored has the time at which it began.
   */
  @IsOptional() @IsDayOrInstant() updated_since?: string;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.updated_since !== undefined) yield changedSince(this.updated_since);
  }
}
