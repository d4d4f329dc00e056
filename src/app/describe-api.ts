import { NO_TEXTS, openApiDocument, type OpenApiDocument, type ReferenceTexts } from '../platform/http/index.js';
import type { Declarations } from './declarations.js';
import { deliveries } from './event-reference.js';
import { httpSetup } from './http-setup.js';

const DESCRIPTION = `
Email campaigns for many workspaces: contacts with their lists, tags, companies and custom fields, templates, mailboxes,
campaigns and their progress, and a blacklist of addresses that never get email.

**Tokens.** Every request under \`/v1\` needs \`Authorization: Bearer out_…\`. A token belongs to one workspace and cannot see
other workspaces: a request for their records returns 404, and a body or filter that refers to them returns 422.

**Responses.** A record is returned as \`{ "data": … }\`, a list with \`links\` and \`meta\` beside its \`data\`. Timestamps are
UTC with milliseconds. In a body, an absent field does not change and null clears a field. An unknown field is an
error; a field that only responses have, such as \`id\`, is ignored.

**Errors.** Branch on the status and on \`error\`, not on \`message\`. An unknown path returns 404; a known path with another
method returns 405 with \`Allow\`. After 429 and 5xx, repeat the request with growing pauses; an \`Idempotency-Key\` makes it
safe to repeat a POST.

**Events.** The end of this reference describes the events that the service sends to webhooks, each with an example.
`.trim();

/** @returns the API reference as OpenAPI 3.1. `server` is the URL that clients use. */
export const describeApi = (
  { routes, publicEvents }: Declarations,
  server: string,
  texts: ReferenceTexts = NO_TEXTS,
): OpenApiDocument =>
  openApiDocument(routes, {
    title: 'Outreach API',
    version: '1.0',
    description: DESCRIPTION,
    server,
    nonJsonBodies: httpSetup.nonJsonBodies,
    outgoing: deliveries(publicEvents),
    texts,
  });
