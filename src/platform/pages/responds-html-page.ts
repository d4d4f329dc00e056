import { applyDecorators, Header } from '@nestjs/common';
import { PublicRoute, RespondsStream } from '../http/index.js';
import type { PageHeaders } from './page-headers.js';

/** A route for anybody, which answers 200 with the page that its handler gives as a text. */
export const RespondsHtmlPage = (headers: PageHeaders) =>
  applyDecorators(
    PublicRoute(),
    RespondsStream('text/html'),
    ...Object.entries(headers).map(([name, value]) => Header(name, value)),
  );
