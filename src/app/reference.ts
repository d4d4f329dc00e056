import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../platform/config/index.js';

/** Generated: `npm run generate`. */
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
/** What the generated document has instead of the URL of an installation. */
export const DOCUMENTED_SERVER = 'http://localhost:3000';

/**
 * Serves the API reference: `/openapi.json` for programs, `/docs` for people, without resources of other sites. The
 * first request reads the document.
 */
export function setUpReference(app: NestExpressApplication, config: Config): void {
  const document = () =>
    JSON.parse(readFileSync(DOCUMENT, 'utf8').replaceAll(DOCUMENTED_SERVER, config.public_url)) as OpenAPIObject;
  SwaggerModule.setup('docs', app, document, {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Outreach API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { docExpansion: 'list', defaultModelsExpandDepth: 0, deepLinking: true, filter: true },
  });
}
