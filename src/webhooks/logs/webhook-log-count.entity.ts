import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Webhook } from '../webhook.entity.js';

/**
 * How many logs of a day (UTC) are alike in all that lists filter and sort by. Kept by the statement that logs, so
 * totals and pages of lists of any length are found without counting.
 */
@Entity('webhook_log_counts')
@BelongsTo(() => Webhook, 'webhook_id')
export class WebhookLogCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') webhook_id!: number;
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('text') event!: string;
  @PrimaryColumn('smallint') status_code!: number;
  @PrimaryColumn('boolean') success!: boolean;
  @Column('bigint') total!: number;
}
