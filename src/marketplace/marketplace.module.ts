import { Module } from '@nestjs/common';
import { GalleryController } from './gallery/gallery.controller.js';
import { Gallery } from './gallery/gallery.service.js';
import { Shelves } from './gallery/shelves.crossing.js';
import { MarketplaceController } from './marketplace.controller.js';
import { Published } from './published.crossing.js';

/** The marketplace: ready-made templates and packs for all workspaces. */
@Module({ controllers: [MarketplaceController, GalleryController], providers: [Published, Shelves, Gallery] })
export class MarketplaceModule {}
