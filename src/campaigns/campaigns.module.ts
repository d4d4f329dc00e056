import { Module } from '@nestjs/common';
import { SegmentsModule } from '../segments/index.js';
import { AutoEnrollmentProcessor } from './auto-enrollment/auto-enrollment.processor.js';
import { AutoEnrollment } from './auto-enrollment/auto-enrollment.service.js';
import { AutoEnrollmentClockWork } from './auto-enrollment/auto-enrollment.clock-work.js';
import { CampaignPublicEvents } from './campaign.public-events.js';
import { CampaignClockWork } from './campaign/campaign.clock-work.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { CampaignTransitions } from './campaign-transitions.service.js';
import { CampaignReferences } from './campaign-references.listener.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignDeletion } from './deletion/campaign-deletion.js';
import { DeletedCampaigns } from './deletion/deleted-campaigns.cross-tenant.js';
import { EnrollmentMove } from './enrollments/enrollment-move.service.js';
import { EnrollmentRecords } from './enrollments/enrollment-records.service.js';
import { EnrollmentTransitions } from './enrollments/enrollment-transitions.service.js';
import { EnrollmentsController } from './enrollments/enrollments.controller.js';
import { EnrollmentsService } from './enrollments/enrollments.service.js';
import { FinishedCampaigns } from './campaign/finished-campaigns.cross-tenant.js';
import { CampaignProtection } from './protection/campaign-protection.service.js';
import { StepsController } from './steps/steps.controller.js';
import { StepsService } from './steps/steps.service.js';

/** `/campaigns` with their steps and enrollments. The module `sending` sends the due messages. */
@Module({
  imports: [SegmentsModule],
  controllers: [CampaignsController, StepsController, EnrollmentsController],
  providers: [
    AutoEnrollment,
    AutoEnrollmentClockWork,
    CampaignsService,
    CampaignClockWork,
    CampaignDeletion,
    CampaignPublicEvents,
    CampaignTransitions,
    CampaignCompletion,
    CampaignReferences,
    CampaignProtection,
    FinishedCampaigns,
    StepsService,
    EnrollmentRecords,
    EnrollmentsService,
    EnrollmentMove,
    EnrollmentTransitions,
  ],
  exports: [AutoEnrollment, CampaignCompletion, CampaignDeletion, CampaignProtection, EnrollmentTransitions],
})
export class CampaignsModule {}

/** For workers only: enrolls the new members of lists and segments, and deletes the rest of large campaigns. */
@Module({
  imports: [CampaignsModule],
  providers: [AutoEnrollmentProcessor, DeletedCampaigns],
})
export class CampaignsWorkerModule {}
