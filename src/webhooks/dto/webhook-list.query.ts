import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type Sql, sql } from '../../platform/database/index.js';
import { BooleanQuery, ListQuery } from '../../platform/tenancy/index.js';
import { EVENT_NAMES } from '../event-names.js';

export class WebhookListQuery extends ListQuery({
  sort: ['created_at', 'updated_at', 'url', 'is_active', 'last_triggered_at', 'failure_count'],
  search: ['url'],
  perPage: 15,
}) {
  /** With 1 only active webhooks, with 0 only the others. */
  @IsOptional() @BooleanQuery() @IsBoolean() is_active?: boolean;
  /** Only webhooks that receive this event. */
  @IsOptional() @IsIn(EVENT_NAMES) event?: string;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.is_active !== undefined) yield sql`record.is_active = ${this.is_active}`;
    if (this.event !== undefined) yield sql`${this.event}::text = ANY(record.events)`;
  }
}
