import { Injectable } from '@nestjs/common';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { EXAMPLE_ACTIVE, EXAMPLE_COMPLETED, EXAMPLE_PAUSED } from './campaign.example.js';
import { campaignView } from './campaign.view.js';
import type { CampaignsEvent } from './campaigns.events.js';
import { campaignRecords } from './campaigns.queries.js';

/** The public events of campaigns. The payload is the campaign at the time of the event (API v1, "Events"). */
@Injectable()
export class CampaignPublicEvents {
  @PublicEvent('campaign.started', {
    when: 'A campaign becomes active, for the first time or again: also a completed one that has work again.',
    view: campaignView,
    example: EXAMPLE_ACTIVE,
  })
  started(scope: WorkspaceScope, { campaigns }: CampaignsEvent) {
    return campaignRecords(scope).iterate(campaigns);
  }

  @PublicEvent('campaign.paused', {
    when: 'An active or completed campaign is paused.',
    view: campaignView,
    example: EXAMPLE_PAUSED,
  })
  paused(scope: WorkspaceScope, { campaigns }: CampaignsEvent) {
    return campaignRecords(scope).iterate(campaigns);
  }

  @PublicEvent('campaign.completed', {
    when: 'All enrollments of an active campaign have ended, so that it has nothing left to send.',
    view: campaignView,
    example: EXAMPLE_COMPLETED,
  })
  completed(scope: WorkspaceScope, { campaigns }: CampaignsEvent) {
    return campaignRecords(scope).iterate(campaigns);
  }
}
