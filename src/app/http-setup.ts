import type { HttpSetup } from '../platform/http/index.js';

/** What the HTTP layer cannot read from the controllers. */
export const httpSetup: HttpSetup = {
  homePage: 'docs',
  middlewarePaths: ['/docs', '/openapi.json', '/llms.txt'],
  nonJsonBodies: [
    { path: /^\/v1\/contacts\/import$/, types: ['multipart/form-data'] },
    { path: /^\/inbound\/sendgrid\/[^/]+\/?$/, types: ['application/json'] },
    { path: /^\/inbound\/mail\/[^/]+\/?$/, types: ['message/rfc822'] },
    { path: /^\/inbound\/parse\/[^/]+\/?$/, types: ['multipart/form-data'] },
    { path: /^\/u\/[^/]+\/?$/, types: [], ignored: true },
  ],
};
