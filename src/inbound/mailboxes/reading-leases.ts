import { Injectable } from '@nestjs/common';
import { LeaseRenewer, renewRows } from '@outreach/job-queue';
import type { Sql } from '../../platform/database/index.js';

/** Renews the leases of the mailboxes that this process reads. */
@Injectable()
export class ReadingLeases extends LeaseRenewer {
  protected override renewal(ids: readonly number[], within: (workspaceId: Sql) => Sql): Sql {
    return renewRows('mailbox_readings', { tenant: 'workspace_id', id: 'email_account_id' }, ids, within);
  }
}
