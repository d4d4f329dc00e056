import { IsIn, IsOptional } from 'class-validator';
import { type Sql, sql } from '../../../platform/database/index.js';

import { CursorListQuery } from '../../../platform/http/index.js';
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '../enrollment.entity.js';

export class EnrollmentListQuery extends CursorListQuery({ sort: ['created_at'] }) {
  /** Only enrollments with this status. */
  @IsOptional() @IsIn(ENROLLMENT_STATUSES) status?: EnrollmentStatus;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.status !== undefined) yield sql`record.status = ${this.status}`;
  }
}
