import { IsIn, IsOptional } from 'class-validator';
import { type Sql, sql } from '../../platform/database/index.js';
import { ListQuery } from '../../platform/tenancy/index.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign/campaign.entity.js';

export class CampaignListQuery extends ListQuery({
  sort: ['created_at', 'name', 'status', 'updated_at', 'started_at'],
  search: ['name'],
  enums: { status: CAMPAIGN_STATUSES },
}) {
  /** Only campaigns with this status. */
  @IsOptional() @IsIn(CAMPAIGN_STATUSES) status?: CampaignStatus;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.status !== undefined) yield sql`record.status = ${this.status}`;
  }
}
