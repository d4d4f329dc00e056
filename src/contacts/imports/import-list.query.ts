import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BooleanQuery, ListQuery } from '../../platform/tenancy/index.js';
import { IMPORT_STATUSES, type ImportStatus } from './import.entity.js';

/** The filters of `GET /imports`. The search reads the name of the file. */
export class ImportListQuery extends ListQuery({
  sort: ['created_at', 'started_at', 'completed_at', 'status'],
  search: ['file_name'],
  enums: { status: IMPORT_STATUSES },
  filters: ['status', 'dry_run'],
}) {
  /** Only imports with this status. */
  @IsOptional() @IsIn(IMPORT_STATUSES) status?: ImportStatus;
  /** Only imports that have stored nothing (1), or only the others (0). */
  @BooleanQuery() @IsOptional() @IsBoolean() dry_run?: boolean;
}

/** The encoding of the refused rows. */
export class RefusedRowsQuery {
  /** Whether the file begins with a byte order mark, which tells Excel that it is UTF-8. */
  @BooleanQuery() @IsOptional() @IsBoolean() bom?: boolean;
}
