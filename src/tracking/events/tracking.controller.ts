import { Controller, Get, Header, Param, Redirect, StreamableFile, UseFilters } from '@nestjs/common';
import { PublicRoute, RespondsStream, Summary } from '../../platform/http/index.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { TrackingService } from './tracking.service.js';
import { FromVisitor, type Visitor } from './visitor.js';

/** What the pictures and the links in messages lead to. */
@Controller('t')
@PublicRoute()
export class TrackingController {
  constructor(private readonly tracking: TrackingService) {}

  @Get('o/:token.gif')
  @Summary('Show the picture that tells when a message is opened')
  @RespondsStream('image/gif')
  @Header('Cache-Control', 'no-store')
  open(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<StreamableFile> {
    return this.tracking.open(token, visitor);
  }

  @Get('c/:token')
  @UseFilters(FailurePageFilter)
  @Summary('Lead to the target of a link in a message')
  @RespondsStream('text/html', 302)
  @Redirect()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex, nofollow')
  follow(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<{ url: string }> {
    return this.tracking.follow(token, visitor);
  }
}
