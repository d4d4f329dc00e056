import type { PageHeaders } from '@outreach/html-pages';
import { applyDecorators, Header } from '@nestjs/common';
import { RespondsStream } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';

/** A public route that responds with 200 and the content that its handler returns. */
export const RespondsPublicly = (mediaType: string, headers: PageHeaders) =>
  applyDecorators(
    PublicRoute(),
    RespondsStream(mediaType),
    ...Object.entries(headers).map(([name, value]) => Header(name, value)),
  );

/** A public route that responds with 200 and the HTML that its handler returns. */
export const RespondsHtmlPage = (headers: PageHeaders) => RespondsPublicly('text/html', headers);
