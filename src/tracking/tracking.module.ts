import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/index.js';
import { SendingModule } from '../sending/index.js';
import { BotClassifier } from './events/bot-classifier.js';
import { ReportedEngagementListener } from './events/reported-engagement.listener.js';
import { TrackingClockWork } from './events/tracking.clock-work.js';
import { TrackingController } from './events/tracking.controller.js';
import { TrackingService } from './events/tracking.service.js';
import { UndecidedEvents } from './events/undecided-events.cross-tenant.js';
import { LinkHostGuard } from './hosts/link-host.guard.js';
import { LinkHosts } from './hosts/link-hosts.cross-tenant.js';
import { TrackingDomainsController } from './hosts/tracking-domains.controller.js';
import { LinkRequests } from './link-requests.js';
import { RecipientLinks } from './recipient-links.cross-tenant.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';

/** The open pixels, redirects and unsubscribe pages that messages link to, and the classification of their requests. */
@Module({
  imports: [ContactsModule, SendingModule],
  controllers: [TrackingController, TrackingDomainsController, UnsubscribeController],
  providers: [
    BotClassifier,
    LinkHostGuard,
    LinkHosts,
    LinkRequests,
    RecipientLinks,
    ReportedEngagementListener,
    TrackingClockWork,
    TrackingService,
    UndecidedEvents,
    UnsubscribeService,
  ],
  exports: [LinkRequests],
})
export class TrackingModule {}
