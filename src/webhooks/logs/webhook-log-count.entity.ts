import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Webhook } from '../webhook.entity.js';

/**
 * The number of logs of a day (UTC) with the same values in all columns that lists filter and sort by. The statement that
 * inserts logs updates it, so that lists find totals and pages without counting logs.
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
