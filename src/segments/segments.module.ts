import { Module } from '@nestjs/common';
import { SegmentCounts } from './segment-counts.js';
import { SegmentMembers } from './segment-members.js';
import { SegmentsController } from './segments.controller.js';
import { SegmentsService } from './segments.service.js';

/** Segments: contacts described by conditions. */
@Module({
  controllers: [SegmentsController],
  providers: [SegmentsService, SegmentCounts, SegmentMembers],
  exports: [SegmentMembers],
})
export class SegmentsModule {}
