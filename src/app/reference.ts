import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../platform/config/index.js';
import { PublicEvents } from '../platform/events/index.js';
import { openApiDocument, type OpenApiDocument, Routes } from '../platform/http/index.js';
import type { Declarations } from './declarations.js';
import { deliveries } from './event-reference.js';
import { httpSetup } from './http-setup.js';

const DESCRIPTION = `
Campaigns of emails to contacts, for many workspaces: contacts with their lists, tags, companies and custom fields,
templates, mailboxes, campaigns and their progress, and a blacklist that is never sent to.

**Tokens.** Every request under \`/v1\` carries \`Authorization: Bearer out_…\`. A token belongs to one workspace and sees
nothing of the others: their records are answered with 404, and with 422 where a body or filter refers to them.

**Answers.** A record comes as \`{ "data": … }\`, a list with \`links\` and \`meta\` beside its \`data\`. Timestamps are UTC with
milliseconds. In a body, a field that is absent keeps its value and null clears it; unknown fields are ignored.

**Errors.** Branch on the status and on \`error\`, not on \`message\`. An unknown path is 404; a known path with another method
is 405 with \`Allow\`. Repeat after 429 and 5xx, with growing pauses; an \`Idempotency-Key\` makes repeating a POST safe.

**Events.** What the service sends to webhooks is described at the end, each event with an example.
`.trim();

/** The API reference as OpenAPI 3.1. `server` is the address that clients reach. */
export const describeApi = ({ routes, publicEvents }: Declarations, server: string): OpenApiDocument =>
  openApiDocument(routes, {
    title: 'Outreach API',
    version: '1.0',
    description: DESCRIPTION,
    server,
    nonJsonBodies: httpSetup.nonJsonBodies,
    outgoing: deliveries(publicEvents),
  });

/**
 * Serves the API reference: `/openapi.json` for programs, `/docs` for people, with nothing from elsewhere. It is made
 * with the first request for it.
 */
export function setUpReference(app: NestExpressApplication, config: Config): void {
  const declared = () => ({ routes: app.get(Routes).all(), publicEvents: app.get(PublicEvents).all() });
  SwaggerModule.setup('docs', app, () => describeApi(declared(), config.public_url), {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Outreach API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { docExpansion: 'list', defaultModelsExpandDepth: 0, deepLinking: true, filter: true },
  });
}
