import { RecentResult } from '@outreach/concurrency';
import { SAMPLE_LIMITS, type TenantDatabase } from '@outreach/database';
import { type Sql, sql } from '@outreach/sql-fragments';
import type { JobKey } from './due-work-host.js';

/** How many keys are read. */
const MAX_UNTOUCHED = 100;
/** Checks of health share a result for this time. */
const MAX_AGE_MS = 10_000;
/** The part of the time that reading takes at most: what takes long is read more rarely. */
const PART = 0.01;

/** Keys with work that has been due for long and that no worker has touched, for checks of health. */
export class UntouchedKeys {
  private readonly recent: RecentResult<readonly JobKey[]>;

  /** @param keys SELECT of the two columns of keys, that of the tenant first */
  constructor(database: TenantDatabase, keys: () => Sql) {
    const limited = database.withTimeLimits(SAMPLE_LIMITS);
    this.recent = new RecentResult(
      () =>
        limited.query<JobKey & Record<string, unknown>>(
          sql`SELECT untouched.* FROM (${keys()}) untouched ORDER BY 1, 2 LIMIT ${MAX_UNTOUCHED}`,
        ),
      MAX_AGE_MS,
      PART,
    );
  }

  /** @returns them in the order of their IDs; the result may be ten seconds old, or 99 times the time that it takes */
  find(): Promise<readonly JobKey[]> {
    return this.recent.get();
  }
}
