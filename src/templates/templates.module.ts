import { Module } from '@nestjs/common';
import { TemplatePreviews } from './preview/preview.service.js';
import { TemplateLimit } from './template-limit.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/** `/templates` (API v1, "Templates"). Rendering consists of pure functions, so it has no provider. */
@Module({
  controllers: [TemplatesController],
  providers: [TemplateLimit, TemplatesService, TemplatePreviews],
  exports: [TemplateLimit],
})
export class TemplatesModule {}
