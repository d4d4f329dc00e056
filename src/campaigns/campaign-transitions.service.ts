import { Injectable } from '@nestjs/common';
import { Conflict, defineReason } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { Campaign } from './campaign/campaign.entity.js';
import { activateCampaign, pauseCampaigns } from './campaign/campaign-status.queries.js';
import type { CampaignRecord } from './campaign.view.js';
import { campaignRecords } from './campaigns.queries.js';
import { prepareForStart } from './enrollments/campaign-start.queries.js';
import { resetRates } from './protection/campaign-rates.queries.js';
import { startRefusals } from './start-refusals.js';

const NOT_ACTIVE = defineReason(
  'not_active',
  409,
  'The campaign is a draft or paused already, so that it cannot be paused.',
);

class NotActive extends Conflict {
  constructor() {
    super(NOT_ACTIVE, 'Only an active or completed campaign can be paused.');
  }
}

/** Starts and pauses campaigns. Neither updates the enrollments, unless the first step has a delay. */
@Injectable()
export class CampaignTransitions {
  constructor(
    private readonly events: DomainEvents,
    private readonly completion: CampaignCompletion,
  ) {}

  /**
   * Draft, paused or completed → active. Returns the updated campaign. @throws NotFound, AlreadyActive, CampaignWithoutSteps,
   * CampaignWithoutAccount
   */
  async start(scope: WorkspaceScope, id: number): Promise<CampaignRecord> {
    const campaign = await scope.of(Campaign).get(id);
    await assertStartable(scope, campaign);
    const cursor = await prepareForStart(scope, campaign);
    const started = await scope.withoutStatementLimit().transaction(async (tx) => {
      const locked = await tx.of(Campaign).lock(id);
      await assertStartable(tx, locked);
      await prepareForStart(tx, locked, cursor);
      await activateCampaign(tx, id);
      await resetRates(tx, id);
      await this.events.publish(tx, 'campaign.started', { campaigns: sql`SELECT ${id}::bigint` });
      await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
      return campaignRecords(tx).get(id);
    });
    await scope.runAfterCommit(() => this.completion.completeIfDone(scope, [id]));
    return started;
  }

  /** Active or completed → paused. Returns the updated campaign. @throws NotFound, NotActive */
  pause(scope: WorkspaceScope, id: number): Promise<CampaignRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const paused = await pauseCampaigns(tx, [id], ['active', 'completed'], null);
      const campaign = await campaignRecords(tx).get(id);
      if (paused.length === 0) throw new NotActive();
      await this.events.publish(tx, 'campaign.paused', { campaigns: sql`SELECT ${id}::bigint` });
      return campaign;
    });
  }
}

async function assertStartable(scope: WorkspaceScope, campaign: Campaign): Promise<void> {
  const [refusal] = await startRefusals(scope, campaign);
  if (refusal) throw refusal;
}
