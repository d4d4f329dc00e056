import { NO_TEXTS, openApiDocument, type OpenApiDocument, type ReferenceTexts } from '@outreach/http-api/openapi';
import type { Declarations } from './declarations.js';
import { deliveries } from './event-reference.js';
import { httpSetup } from './http-setup.js';

/** @returns the API reference as OpenAPI 3.1. `server` is the URL that clients use. */
export const describeApi = (
  { routes, publicEvents }: Declarations,
  server: string,
  texts: ReferenceTexts = NO_TEXTS,
): OpenApiDocument =>
  openApiDocument(routes, {
    title: 'Outreach API',
    version: '1.0',
    description: texts.introduction,
    server,
    nonJsonBodies: httpSetup.nonJsonBodies,
    outgoing: deliveries(publicEvents),
    texts,
    license: 'Apache-2.0',
    token: 'A token belongs to one workspace.',
    errors: {
      notFound: 'The workspace has no such record, or the workspace was deleted.',
      conflict: { reason: 'email_taken', message: 'A contact with this email address already exists.' },
    },
  });
