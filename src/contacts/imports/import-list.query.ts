import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { sql } from '../../platform/database/index.js';
import { BooleanQuery, ListQuery } from '../../platform/tenancy/index.js';
import { IMPORT_STATUSES, type ImportStatus } from './import.entity.js';

/** The filters of `GET /imports`. The search reads the name of the file. */
export class ImportListQuery extends ListQuery({
  sort: ['created_at', 'started_at', 'completed_at', 'status'],
  search: ['file_name'],
  enums: { status: IMPORT_STATUSES },
}) {
  /** Only imports with this status. */
  @IsOptional() @IsIn(IMPORT_STATUSES) status?: ImportStatus;
  /** Only imports that have stored nothing (1), or only the others (0). */
  @BooleanQuery() @IsOptional() @IsBoolean() dry_run?: boolean;

  override *clauses() {
    yield* super.clauses();
    if (this.status) yield sql`record.status = ${this.status}`;
    if (this.dry_run !== undefined) yield sql`record.dry_run = ${this.dry_run}::boolean`;
  }
}

/** The encoding of the refused rows. */
export class RefusedRowsQuery {
  /** Whether the file begins with a byte order mark, which tells Excel that it is UTF-8. */
  @BooleanQuery() @IsOptional() @IsBoolean() bom?: boolean;
}
