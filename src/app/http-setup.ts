import type { HttpSetup } from '../platform/http/server/index.js';

const SENDGRID_EVENTS = {
  type: 'array',
  description: "The events of SendGrid's event webhook. Fields and events that the service does not know are ignored.",
  items: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'array', 'object', 'null'] } },
};
const PARSED_MAIL = {
  type: 'object',
  description: 'The fields of the form. `email` is the raw message; the service reads no other.',
  additionalProperties: { type: 'string' },
};

/** What the HTTP layer cannot read from the controllers. */
export const httpSetup: HttpSetup = {
  homePage: 'docs',
  middlewarePaths: ['/docs', '/openapi.json', '/llms.txt'],
  nonJsonBodies: [
    { path: /^\/v1\/contacts\/import$/, types: ['multipart/form-data'] },
    { path: /^\/inbound\/sendgrid\/[^/]+\/?$/, types: ['application/json'], schema: SENDGRID_EVENTS },
    { path: /^\/inbound\/mail\/[^/]+\/?$/, types: ['message/rfc822'], schema: { type: 'string' } },
    { path: /^\/inbound\/parse\/[^/]+\/?$/, types: ['multipart/form-data'], schema: PARSED_MAIL },
    { path: /^\/u\/[^/]+\/?$/, types: [], ignored: true },
    { path: /^\/oauth\/connect\/?$/, types: [], ignored: true },
  ],
};
