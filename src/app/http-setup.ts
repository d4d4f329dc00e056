import type { HttpSetup } from '@outreach/http-api/server';
import { EVENT_PROVIDERS, RECEIVED_FORMS } from '../email-accounts/index.js';

/** The bodies of events and forms, which the services of their routes read. */
const PROVIDER_BODIES = [
  ...EVENT_PROVIDERS.map(({ type, name }) => ({
    path: new RegExp(`^/inbound/${type}/[^/]+/?$`),
    types: ['application/json'],
    schema: {
      type: 'array',
      description: `The events of ${name}'s event webhook. Fields and events that the service does not know are ignored.`,
      items: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean', 'array', 'object', 'null'], items: {} },
      },
    },
  })),
  ...RECEIVED_FORMS.map(({ path, part }) => ({
    path: new RegExp(`^/inbound/${path}/[^/]+/?$`),
    types: ['multipart/form-data'],
    schema: {
      type: 'object',
      description: `The fields of the form. \`${part}\` is the raw message; the service reads no other.`,
      additionalProperties: { type: 'string' },
    },
  })),
];

/** What the HTTP layer cannot read from the controllers. */
export const httpSetup: HttpSetup = {
  homePage: 'docs',
  middlewarePaths: ['/docs', '/openapi.json', '/llms.txt'],
  nonJsonBodies: [
    { path: /^\/v1\/contacts\/import$/, types: ['multipart/form-data'] },
    ...PROVIDER_BODIES,
    { path: /^\/inbound\/mail\/[^/]+\/?$/, types: ['message/rfc822'], schema: { type: 'string' } },
    { path: /^\/u\/[^/]+\/?$/, types: [], ignored: true },
    { path: /^\/oauth\/connect\/?$/, types: [], ignored: true },
  ],
};
