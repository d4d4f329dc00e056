import { Injectable } from '@nestjs/common';
import type { Sql } from '../../platform/database/index.js';
import { LeaseRenewer, renewRows } from '../../platform/queue/index.js';

/** Renews the leases of the mailboxes that this process reads. */
@Injectable()
export class ReadingLeases extends LeaseRenewer {
  protected override renewal(ids: readonly number[]): Sql {
    return renewRows('mailbox_readings', 'email_account_id', ids);
  }
}
