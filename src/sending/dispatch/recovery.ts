import { Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { Scheduled } from '@outreach/job-queue';
import { countMessages, leasesRecovered } from '../metrics/index.js';
import { LeaseRecovery, MessageLeases } from './leases.cross-tenant.js';
import { SentMailChecks } from './sent-mail-checks.js';

const EVERY_SECONDS = 3;

/** Recovers the messages of dead workers every few seconds, in one process at a time. */
@Injectable()
export class Recovery {
  constructor(
    private readonly recovery: LeaseRecovery,
    private readonly leases: MessageLeases,
    private readonly checks: SentMailChecks,
    private readonly log: Log,
  ) {}

  @Scheduled('recover-messages', EVERY_SECONDS)
  async recover(): Promise<void> {
    await this.leases.renewOld();
    const { returned, resent, asked, unknown } = await this.recovery.recover();
    leasesRecovered.inc(returned + resent + asked + unknown);
    countMessages('unknown', unknown);
    if (returned > 0) this.log.warn('messages that a worker had claimed and not sent are due again', { returned });
    if (resent + asked + unknown > 0)
      this.log.warn('it was not known whether the servers of messages had accepted them', { resent, asked, unknown });
    await this.checks.startDue();
  }
}
