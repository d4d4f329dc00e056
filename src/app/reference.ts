import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { describeApi } from './describe-api.js';
import { extendedReference } from './extensions/extended-reference.js';
import { PublicEvents } from '../platform/events/index.js';
import { loadedExtensions } from '../platform/extensions/index.js';
import { EVENT_NAMES } from '../webhooks/index.js';
import { PERMISSIONS } from '../workspaces/index.js';
import type { Config } from '../platform/config/index.js';
import { entityTag, matchesWeakly, type OpenApiDocument, Routes } from '../platform/http/index.js';
import { llmsText } from './llms-text.js';

/** Generated: `npm run generate`. */
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
/** What the generated document has instead of the URL of an installation. */
export const DOCUMENTED_SERVER = 'http://localhost:3000';

/** Hides what is empty, and makes texts and tables readable also on a phone. */
const STYLE = `
.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }
.swagger-ui .info .renderedMarkdown { max-width: 56rem }
.swagger-ui .info .renderedMarkdown h2 { margin: 1.6em 0 .4em; font-size: 1.4em }
.swagger-ui .renderedMarkdown code { padding: 1px 4px; color: #3b4151; font-weight: 500; overflow-wrap: anywhere }
.swagger-ui .renderedMarkdown pre { padding: 10px; border-radius: 4px; background: #ececec; overflow-x: auto }
.swagger-ui .renderedMarkdown pre code { padding: 0; background: none; white-space: pre }
.swagger-ui .opblock-tag small p { margin: 4px 0; line-height: 1.45 }
.swagger-ui .headers-wrapper { overflow-x: auto }
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag small { order: 1; flex: 1 0 100%; padding: 0 }
  .swagger-ui .response-col_status { min-width: 3em }
  .swagger-ui .table-container, .swagger-ui .responses-inner { padding: 10px; overflow-x: auto }
}
`;

/**
 * Serves the API reference: `/openapi.json` for programs, `/docs` for people, without resources of other sites, and
 * `/llms.txt` for language models. The first request reads the document.
 */
export function setUpReference(app: NestExpressApplication, config: Config): void {
  const document = () => {
    const base = JSON.parse(
      readFileSync(DOCUMENT, 'utf8').replaceAll(DOCUMENTED_SERVER, config.public_url),
    ) as OpenAPIObject;
    return loadedExtensions().length === 0 ? base : withExtensions(base, app, config);
  };
  serveOverview(app, config, document);
  SwaggerModule.setup('docs', app, document, {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Outreach API',
    customCss: STYLE,
    swaggerOptions: { docExpansion: 'list', defaultModelsExpandDepth: 0, deepLinking: true, filter: true },
  });
}

/** @returns the reference of the service with what the extension modules add */
function withExtensions(base: OpenAPIObject, app: NestExpressApplication, config: Config): OpenAPIObject {
  const declared = { routes: app.get(Routes).all(), publicEvents: app.get(PublicEvents).all() };
  const values = { Permission: PERMISSIONS, EventName: EVENT_NAMES };
  return extendedReference(base, describeApi(declared, config.public_url), values);
}

/** Serves `/llms.txt`, with 304 if the client has it already (RFC 9110, 13.1.2). It stays in memory: about 40 KB. */
function serveOverview(app: NestExpressApplication, config: Config, document: () => OpenAPIObject): void {
  let overview: { readonly text: string; readonly tag: string } | undefined;
  const express = app.getHttpAdapter() as unknown as {
    get(path: string, handler: (request: Request, response: Response) => void): void;
  };
  express.get('/llms.txt', (request, response) => {
    const { text, tag } = (overview ??= overviewOf(document(), config));
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Type': 'text/plain; charset=utf-8',
      ETag: tag,
      'X-Content-Type-Options': 'nosniff',
    });
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesWeakly(known, tag)) response.status(304).end();
    else response.end(text);
  });
}

function overviewOf(document: OpenAPIObject, { public_url: url }: Config): { text: string; tag: string } {
  const text = llmsText(document as unknown as OpenApiDocument, url);
  return { text, tag: entityTag(text) };
}
