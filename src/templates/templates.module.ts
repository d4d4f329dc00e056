import { Module } from '@nestjs/common';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/** `/templates` (API v1, "Templates"). Rendering needs no module: it is pure. */
@Module({ controllers: [TemplatesController], providers: [TemplatesService] })
export class TemplatesModule {}
