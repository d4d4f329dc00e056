import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { unknownFields } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck } from '@outreach/http-api/validation';
import { checkCursor, positionIn } from '../../platform/http/cursors/index.js';
import { IntegerQuery } from '../../platform/tenancy/index.js';
import { EVENT_NAMES } from '../event-names.js';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

const namesIn = (event: string): string[] => event.split(',').map((name) => name.trim());

/** Returns an error for each name that is not that of an event. */
const nameErrors: InputCheck<{ readonly event?: string }> = ({ event }) => {
  const messages = event === undefined ? [] : unknownFields(namesIn(event), new Set(EVENT_NAMES));
  const errors: FieldErrors = messages.length > 0 ? { event: messages } : {};
  return errors;
};

/** The query of `GET /events`. */
@CheckedBy(nameErrors)
@CheckedBy(checkCursor('after', 'page'))
export class EventListQuery {
  /** Only events with a larger ID; the `next_after` of the response before. Without it, the oldest events. */
  @IsOptional() @IntegerQuery() @Max(Number.MAX_SAFE_INTEGER) @Min(0) @IsInt() after?: number;
  /** Only events with these names, separated by commas. */
  @IsOptional() @IsString() event?: string;
  /** The largest number of events. */
  @IntegerQuery() @Max(MAX_LIMIT) @Min(1) @IsInt() limit: number = DEFAULT_LIMIT;
  /**
   * Instead of `after`: empty for the first page, then `meta.next_cursor` of the page before, which is null once there are
   * no more events.
   */
  @IsOptional() @IsString() cursor?: string;

  /** The names of `event`; undefined for all. */
  get names(): readonly string[] | undefined {
    return this.event === undefined ? undefined : [...new Set(namesIn(this.event))];
  }

  /** The ID after which the page begins. */
  get start(): number {
    const position = this.cursor === undefined ? null : positionIn(this.cursor);
    return position ? Number(position[1]) : (this.after ?? 0);
  }
}
