import { Body, Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import {
  Answers,
  AnswersAllCreatedSaying,
  AnswersCreatedSaying,
  AnswersPage,
  Id,
  InWorkspace,
  RequirePermission,
  Summary,
} from '../platform/http/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { templateView } from '../templates/index.js';
import { copyPack, copyTemplate } from './copy.queries.js';
import { CopyTemplateDto } from './dto/copy-template.dto.js';
import { MarketplacePackListQuery, MarketplaceTemplateListQuery } from './dto/marketplace-list.query.js';
import { marketplacePackView, marketplaceTemplateView } from './marketplace.view.js';
import { PublishedTemplateGuard } from './published-template.guard.js';
import { Published } from './published.crossing.js';

@Controller('v1/marketplace')
export class MarketplaceController {
  constructor(private readonly published: Published) {}

  @Get('templates')
  @Summary('List the templates of the marketplace')
  @RequirePermission('templates:read')
  @AnswersPage(marketplaceTemplateView)
  templates(@Query() query: MarketplaceTemplateListQuery) {
    return this.published.templates(query);
  }

  @Get('templates/:id')
  @Summary('Get a template of the marketplace')
  @RequirePermission('templates:read')
  @Answers(marketplaceTemplateView)
  template(@Id() id: number) {
    return this.published.template({ id });
  }

  @Post('templates/:id/copy')
  @Summary('Copy a template of the marketplace into the workspace')
  @RequirePermission('templates:write')
  @UseGuards(PublishedTemplateGuard)
  @AnswersCreatedSaying(templateView, ({ name }) => `The template was copied as "${name}".`)
  copyTemplate(@InWorkspace() scope: WorkspaceScope, @Id() id: number, @Body() dto: CopyTemplateDto) {
    return copyTemplate(scope, id, dto.name);
  }

  @Get('packs')
  @Summary('List the packs of the marketplace')
  @RequirePermission('templates:read')
  @AnswersPage(marketplacePackView)
  packs(@Query() query: MarketplacePackListQuery) {
    return this.published.packs(query);
  }

  @Get('packs/:id')
  @Summary('Get a pack of the marketplace')
  @RequirePermission('templates:read')
  @Answers(marketplacePackView)
  pack(@Id() id: number) {
    return this.published.pack({ id });
  }

  @Post('packs/:id/copy')
  @Summary('Copy all templates of a pack into the workspace')
  @RequirePermission('templates:write')
  @AnswersAllCreatedSaying(templateView, ({ length }) => `Templates copied: ${length}.`)
  copyPack(@InWorkspace() scope: WorkspaceScope, @Id() id: number) {
    return copyPack(scope, id);
  }
}
