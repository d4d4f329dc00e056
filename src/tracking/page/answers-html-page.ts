import { applyDecorators, Header } from '@nestjs/common';
import { AnswersStream, Public } from '../../platform/http/index.js';
import { PAGE_HEADERS } from './page.js';

/** A route for anybody, which answers 200 with a page. */
export const AnswersHtmlPage = () =>
  applyDecorators(
    Public(),
    AnswersStream('text/html'),
    ...Object.entries(PAGE_HEADERS).map(([name, value]) => Header(name, value)),
  );
