import { Injectable } from '@nestjs/common';
import { Scheduled } from '@outreach/job-queue';
import { Database, sql } from '../../platform/database/index.js';
import { Busy } from '../../platform/errors/index.js';
import { isFree } from './tracking-domain-owners.cross-tenant.js';
import { TrackingDomains, type TrackingDomainStatus, type WantedDomain } from './tracking-domains.js';

const MINUTE_SECONDS = 60;
/** As many as are looked up at the same time. */
const BATCH_SIZE = 16;
/** Then the next run goes on, so that a process can stop. A lookup takes at most five seconds. */
const RUN_MS = 10_000;

interface DueDomain extends WantedDomain {
  readonly id: number;
}

/** Looks the tracking domains of all workspaces up every hour; the ones that have waited longest come first. */
@Injectable()
export class DueTrackingDomains {
  constructor(
    private readonly database: Database,
    private readonly domains: TrackingDomains,
  ) {}

  @Scheduled('check-tracking-domains', MINUTE_SECONDS)
  async checkDue(): Promise<void> {
    const deadline = performance.now() + RUN_MS;
    let due: DueDomain[];
    do {
      due = await this.claim();
      await this.store(due, await Promise.all(due.map((each) => this.lookUp(each))));
    } while (due.length === BATCH_SIZE && performance.now() < deadline);
  }

  /** The next check of what it returns is in an hour, also if this process dies. */
  private claim(): Promise<DueDomain[]> {
    const now = this.database.nowOf(sql`workspace.id`);
    return this.database.query<DueDomain & Record<string, unknown>>(
      sql`WITH due AS MATERIALIZED (
            SELECT workspace.id, ${now} AS now FROM workspaces workspace
            WHERE workspace.tracking_domain IS NOT NULL AND workspace.deletion_started_at IS NULL
              AND workspace.tracking_domain_checked_at <= ${now} - interval '1 hour'
            ORDER BY workspace.tracking_domain_checked_at LIMIT ${BATCH_SIZE} FOR UPDATE OF workspace SKIP LOCKED
          )
          UPDATE workspaces SET tracking_domain_checked_at = due.now FROM due WHERE workspaces.id = due.id
          RETURNING workspaces.id, workspaces.tracking_domain AS domain, workspaces.tracking_domain_token AS token`,
    );
  }

  private async lookUp(due: DueDomain): Promise<TrackingDomainStatus> {
    try {
      return await this.domains.lookUp(due.id, due);
    } catch (error) {
      if (error instanceof Busy) return 'unavailable';
      throw error;
    }
  }

  /**
   * A domain that was changed in the meantime stays as it is, and so does one whose name servers did not respond. Of several
   * workspaces with a domain, one gets it.
   */
  private async store(due: readonly DueDomain[], statuses: readonly TrackingDomainStatus[]): Promise<void> {
    if (due.length === 0) return;
    const now = this.database.nowOf(sql`workspaces.id`);
    await this.database.execute(
      sql`UPDATE workspaces SET tracking_domain_verified_at =
            CASE WHEN checked.status = 'verified' THEN ${now} END
          FROM (
            SELECT *, row_number() OVER (PARTITION BY domain, status ORDER BY id) AS rank
            FROM unnest(${due.map(({ id }) => id)}::bigint[], ${due.map(({ domain }) => domain)}::text[],
              ${[...statuses]}::text[]) AS looked_up (id, domain, status)) checked
          WHERE workspaces.id = checked.id AND tracking_domain = checked.domain AND CASE checked.status
            WHEN 'verified' THEN tracking_domain_verified_at IS NULL AND checked.rank = 1
              AND ${isFree(sql`checked.domain`, sql`checked.id`)}
            WHEN 'unverified' THEN tracking_domain_verified_at IS NOT NULL ELSE FALSE END`,
    );
  }
}
