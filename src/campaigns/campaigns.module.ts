import { Module } from '@nestjs/common';
import { SegmentsModule } from '../segments/index.js';
import { CampaignAnnouncements } from './campaign.announcements.js';
import { CampaignCompletion } from './campaign-completion.service.js';
import { CampaignMoves } from './campaign-moves.service.js';
import { CampaignReferences } from './campaign-references.listener.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { EnrollmentMoves } from './enrollments/enrollment-moves.service.js';
import { EnrollmentsController } from './enrollments/enrollments.controller.js';
import { EnrollmentsService } from './enrollments/enrollments.service.js';
import { FinishedCampaigns } from './finished-campaigns.crossing.js';
import { StepsController } from './steps/steps.controller.js';
import { StepsService } from './steps/steps.service.js';

/** `/campaigns` with their steps and enrollments. What is due in them is sent by another module. */
@Module({
  imports: [SegmentsModule],
  controllers: [CampaignsController, StepsController, EnrollmentsController],
  providers: [
    CampaignsService,
    CampaignAnnouncements,
    CampaignMoves,
    CampaignCompletion,
    CampaignReferences,
    FinishedCampaigns,
    StepsService,
    EnrollmentsService,
    EnrollmentMoves,
  ],
  exports: [CampaignCompletion, EnrollmentMoves],
})
export class CampaignsModule {}
