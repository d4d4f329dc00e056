import { Module } from '@nestjs/common';
import { Statistics } from '../platform/database/index.js';
import { SegmentBudget } from './segment-budget.js';
import { SegmentCounts } from './segment-counts.js';
import { SegmentMembers } from './segment-members.js';
import { SegmentsController } from './segments.controller.js';
import { SegmentsService } from './segments.service.js';

/** `/segments`: sets of contacts, described by conditions. */
@Module({
  controllers: [SegmentsController],
  providers: [SegmentsService, SegmentBudget, SegmentCounts, SegmentMembers, Statistics],
  exports: [SegmentMembers],
})
export class SegmentsModule {}
