import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { arrayView, LargeResponse, Responds, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { CheckRecord } from '../platform/http/records/index.js';
import { InWorkspace } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { TemplateLimit, templateView, withItsUnknownVariables, withUnknownVariables } from '../templates/index.js';
import { copyPack, copyTemplate } from './copy.queries.js';
import { CopyTemplateDto } from './dto/copy-template.dto.js';
import { MarketplacePackListQuery, MarketplaceTemplateListQuery } from './dto/marketplace-list.query.js';
import { marketplacePackView, marketplaceTemplateView } from './marketplace.view.js';
import { PublishedPackCheck, PublishedTemplateCheck } from './published-record.checks.js';
import { PublishedRecords } from './published-records.cross-tenant.js';

@Controller('v1/marketplace')
export class MarketplaceController {
  constructor(
    private readonly publishedRecords: PublishedRecords,
    private readonly templateLimit: TemplateLimit,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * The published templates of the marketplace, which all workspaces share. Without `sort`: featured ones first, then
   * the most copied.
   */
  @Get('templates')
  @Summary('List the templates of the marketplace', 'listMarketplaceTemplates')
  @RequirePermission('templates:read')
  @LargeResponse({ rowBytes: 262_144 })
  @RespondsPage(marketplaceTemplateView)
  templates(@Query() query: MarketplaceTemplateListQuery) {
    return this.publishedRecords.templates(query);
  }

  /** One template of the marketplace. */
  @Get('templates/:id')
  @Summary('Get a template of the marketplace', 'getMarketplaceTemplate')
  @RequirePermission('templates:read')
  @Responds(marketplaceTemplateView)
  template(@IdParam() id: number) {
    return this.publishedRecords.template({ id });
  }

  /** Creates a template of the workspace with the texts of this one. */
  @Post('templates/:id/copy')
  @Summary('Copy a template of the marketplace into the workspace', 'copyMarketplaceTemplate')
  @RequirePermission('templates:write')
  @CheckRecord(PublishedTemplateCheck)
  @Responds(templateView, { status: 201, message: ({ name }) => `The template was copied as "${name}".` })
  async copyTemplate(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number, @Body() dto: CopyTemplateDto) {
    const copy = await this.templateLimit.within(scope, (tx) => copyTemplate(tx, id, dto.name));
    return withItsUnknownVariables(scope, copy);
  }

  /**
   * The published packs of the marketplace: templates that make a sequence. Without `sort`: featured ones first, then
   * the most copied.
   */
  @Get('packs')
  @Summary('List the packs of the marketplace', 'listMarketplacePacks')
  @RequirePermission('templates:read')
  @LargeResponse({ rowBytes: 262_144 })
  @RespondsPage(marketplacePackView)
  packs(@Query() query: MarketplacePackListQuery) {
    return this.publishedRecords.packs(query);
  }

  /** One pack with its templates. */
  @Get('packs/:id')
  @Summary('Get a pack of the marketplace', 'getMarketplacePack')
  @RequirePermission('templates:read')
  @Responds(marketplacePackView)
  pack(@IdParam() id: number) {
    return this.publishedRecords.pack({ id });
  }

  /** Creates a template of the workspace for each template of the pack, in its order. */
  @Post('packs/:id/copy')
  @Summary('Copy all templates of a pack into the workspace', 'copyMarketplacePack')
  @RequirePermission('templates:write')
  @CheckRecord(PublishedPackCheck)
  @Responds(arrayView(templateView), { status: 201, message: ({ length }) => `Templates copied: ${length}.` })
  async copyPack(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    const copies = await this.templateLimit.within(scope, (tx) => copyPack(tx, id));
    return withUnknownVariables(scope, copies, this.steps);
  }
}
