import { IsOptional, IsString } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { IsDayOrInstant, unknownFields } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { sql, type Sql } from '../platform/database/index.js';
import { CursorListQuery } from '../platform/http/cursors/index.js';
import { rangeEnd, rangeStart } from '../platform/tenancy/index.js';
import { ACTIVITY_TYPES, type ActivityType } from './activity-types.js';

const names = (type: string): string[] => type.split(',').map((name) => name.trim());

/** Returns an error for each requested type that does not exist. */
const typeErrors: InputCheck<{ readonly type?: string }> = ({ type }) => {
  const messages = type === undefined ? [] : unknownFields(names(type), new Set(ACTIVITY_TYPES));
  const errors: FieldErrors = messages.length > 0 ? { type: messages } : {};
  return Promise.resolve(errors);
};

@CheckedBy(typeErrors)
export class ActivityListQuery extends CursorListQuery({ sort: ['occurred_at'] }) {
  /** Only entries of these types, separated by commas. */
  @IsOptional() @IsString() type?: string;
  /** Only entries from this day (UTC) or instant on. */
  @IsOptional() @IsDayOrInstant() created_from?: string;
  /** Only entries up to this day (UTC) or instant, included. */
  @IsOptional() @IsDayOrInstant() created_to?: string;

  get types(): readonly ActivityType[] {
    const requested = this.type === undefined ? undefined : new Set(names(this.type));
    return requested ? ACTIVITY_TYPES.filter((name) => requested.has(name)) : ACTIVITY_TYPES;
  }

  /** Conditions on `entry`. */
  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.created_from !== undefined) yield sql`entry.occurred_at >= ${rangeStart(this.created_from)}::timestamptz`;
    if (this.created_to !== undefined) yield sql`entry.occurred_at <= ${rangeEnd(this.created_to)}::timestamptz`;
  }
}
