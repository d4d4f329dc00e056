import { Controller, Get, Header, Param, Redirect, StreamableFile, UseFilters, UseGuards } from '@nestjs/common';
import type { Visitor } from '@outreach/bot-detection';
import { Summary } from '@outreach/http-api/openapi';
import { RespondsStream } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { LinkHostGuard } from '../hosts/link-host.guard.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { TrackingService } from './tracking.service.js';
import { FromVisitor } from './visitor.js';

/** The open pixel and the redirects of tracked links. */
@Controller('t')
@PublicRoute()
@UseGuards(LinkHostGuard)
export class TrackingController {
  constructor(private readonly tracking: TrackingService) {}

  /** The invisible picture in a message. Requests of machines are recorded, but not counted. */
  @Get('o/:token.gif')
  @Summary('Return the pixel that records the opening of a message', 'recordOpen')
  @RespondsStream('image/gif')
  @Header('Cache-Control', 'no-store')
  open(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<StreamableFile> {
    return this.tracking.open(token, visitor);
  }

  /** The link in a message. The target is part of the token and cannot be changed. */
  @Get('c/:token')
  @UseFilters(FailurePageFilter)
  @Summary('Redirect to the target of a link in a message', 'followLink')
  @RespondsStream('text/html', { status: 302 })
  @Redirect()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex, nofollow')
  follow(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<{ url: string }> {
    return this.tracking.follow(token, visitor);
  }
}
