import { Module } from '@nestjs/common';
import { TemplatesModule } from '../templates/index.js';
import { GalleryController } from './gallery/gallery.controller.js';
import { GalleryService } from './gallery/gallery.service.js';
import { GalleryQueries } from './gallery/gallery-queries.cross-tenant.js';
import { MarketplaceController } from './marketplace.controller.js';
import { PublishedPackCheck, PublishedTemplateCheck } from './published-record.checks.js';
import { PublishedRecords } from './published-records.cross-tenant.js';

/** The marketplace: ready-made templates and packs for all workspaces. */
@Module({
  imports: [TemplatesModule],
  controllers: [MarketplaceController, GalleryController],
  providers: [PublishedPackCheck, PublishedRecords, PublishedTemplateCheck, GalleryQueries, GalleryService],
})
export class MarketplaceModule {}
