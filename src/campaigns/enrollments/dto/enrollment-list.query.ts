import { IsIn, IsOptional } from 'class-validator';
import type { Sql } from '../../../platform/database/index.js';

import { CursorListQuery } from '../../../platform/http/cursors/index.js';
import { IsDayOrInstant } from '@outreach/http-api/fields';
import { changedSince } from '../../../platform/tenancy/index.js';
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '../enrollment.entity.js';

export class EnrollmentListQuery extends CursorListQuery({ sort: ['created_at'], filters: ['status'] }) {
  /** Only enrollments with this status. */
  @IsOptional() @IsIn(ENROLLMENT_STATUSES) status?: EnrollmentStatus;
  /**
   * Only enrollments that have changed since this instant (or the beginning of this day in UTC), included. To follow changes,
   * ask for the time of the request before less five minutes: a change that takes long to be stored has the time at which it
   * began.
   */
  @IsOptional() @IsDayOrInstant() updated_since?: string;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.updated_since !== undefined) yield changedSince(this.updated_since);
  }
}
