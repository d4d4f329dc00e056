import { Controller, Get, Header, Param, Redirect, StreamableFile, UseFilters } from '@nestjs/common';
import { AnswersStream, Public, Summary } from '../../platform/http/index.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { HitsService } from './hits.service.js';
import { FromVisitor, type Visitor } from './visitor.js';

/** What the pictures and the links in messages lead to. */
@Controller('t')
@Public()
export class HitsController {
  constructor(private readonly hits: HitsService) {}

  @Get('o/:token.gif')
  @Summary('Show the picture that tells when a message is opened')
  @AnswersStream('image/gif')
  @Header('Cache-Control', 'no-store')
  open(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<StreamableFile> {
    return this.hits.open(token, visitor);
  }

  @Get('c/:token')
  @UseFilters(FailurePageFilter)
  @Summary('Lead to the target of a link in a message')
  @AnswersStream('text/html', 302)
  @Redirect()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex, nofollow')
  follow(@Param('token') token: string, @FromVisitor() visitor: Visitor): Promise<{ url: string }> {
    return this.hits.follow(token, visitor);
  }
}
