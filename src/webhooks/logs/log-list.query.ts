import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { customRule } from '@outreach/http-api/fields';
import { type Sql, sql } from '../../platform/database/index.js';
import { CursorListQuery } from '../../platform/http/cursors/index.js';
import { BooleanQuery, IntegerQuery, searchTerms } from '../../platform/tenancy/index.js';
import { EVENT_NAMES, TEST_EVENT } from '../event-names.js';

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const LOGGED_EVENTS = [...EVENT_NAMES, TEST_EVENT];

/** Validates a calendar date, `YYYY-MM-DD`. */
const IsDay = (): PropertyDecorator =>
  customRule('isDay', [], {
    validate: (value) => typeof value === 'string' && DAY.test(value) && isInCalendar(value),
    message: (field) => `${field} must be a date of the form YYYY-MM-DD`,
    schema: { type: 'string', format: 'date' },
  });

/** `Date.parse` turns 30 February into 2 March. */
function isInCalendar(day: string): boolean {
  const instant = Date.parse(day);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
}

export class LogListQuery extends CursorListQuery({
  sort: ['created_at', 'event', 'status_code', 'success'],
  perPage: 15,
}) {
  /** With 1 only attempts that succeeded, with 0 only the others. */
  @IsOptional() @BooleanQuery() @IsBoolean() success?: boolean;
  /** Only attempts with this HTTP status; 0 means that the receiver was not reached. */
  @IsOptional() @IntegerQuery() @Max(599) @Min(0) @IsInt() status_code?: number;
  /** The first day (UTC), included. */
  @IsOptional() @IsDay() created_from?: string;
  /** The last day (UTC), included. */
  @IsOptional() @IsDay() created_to?: string;

  /** Conditions that apply to logs and to counts of logs, except those on days. */
  override *clauses(): Iterable<Sql> {
    const terms = searchTerms(this.search);
    if (terms.length > 0) yield sql`record.event = ANY(${eventsLike(terms)}::text[])`;
    if (this.success !== undefined) yield sql`record.success = ${this.success}`;
    if (this.status_code !== undefined) yield sql`record.status_code = ${this.status_code}`;
  }

  /** Conditions on the days of counts. */
  *days(): Iterable<Sql> {
    if (this.created_from !== undefined) yield sql`record.day >= ${this.created_from}::date`;
    if (this.created_to !== undefined) yield sql`record.day <= ${this.created_to}::date`;
  }
}

/** Comparing with the few matching names uses an index; LIKE would not. */
const eventsLike = (terms: readonly string[]): string[] =>
  LOGGED_EVENTS.filter((event) => terms.every((term) => event.includes(term.toLowerCase())));
