import { applyDecorators, Header } from '@nestjs/common';
import { AnswersStream, Public } from '../http/index.js';
import type { PageHeaders } from './page-headers.js';

/** A route for anybody, which answers 200 with the page that its handler gives as a text. */
export const AnswersHtmlPage = (headers: PageHeaders) =>
  applyDecorators(
    Public(),
    AnswersStream('text/html'),
    ...Object.entries(headers).map(([name, value]) => Header(name, value)),
  );
