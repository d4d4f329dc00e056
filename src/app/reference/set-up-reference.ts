import { existsSync, readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { OpenApiDocument } from '@outreach/http-api/openapi';
import { Routes } from '@outreach/http-api/routes';
import { ACCOUNT_TYPES } from '../../email-accounts/index.js';
import { describeApi } from '../describe-api.js';
import { extendedReference } from '../extensions/extended-reference.js';
import { PublicEvents } from '../../platform/events/index.js';
import { loadedExtensions } from '../../platform/extensions/index.js';
import { EVENT_NAMES } from '../../webhooks/index.js';
import { PERMISSIONS } from '../../workspaces/index.js';
import type { Config } from '../../platform/config/index.js';
import { llmsText, pageDocument, REFERENCE_PAGE, REFERENCE_PAGE_HEADERS } from '@outreach/api-reference';
import { StoredText } from './stored-text.js';

/** Generated: `npm run generate`. */
const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);
/** What the generated document has instead of the URL of an installation. */
export const DOCUMENTED_SERVER = 'http://localhost:3000';

/** Written by `npm run build`. Tests run from `src`. */
const RENDERER = new URL('../../../docs/renderer.js.gz', import.meta.url);
const RENDERER_OF_TESTS = new URL('../../../dist/docs/renderer.js.gz', import.meta.url);

/**
 * Serves the API reference: `/openapi.json` for programs, `/docs` for people, without resources of other sites, and
 * `/llms.txt` for language models. The first request for each makes it.
 */
export function setUpReference(app: NestExpressApplication, config: Config): void {
  const { public_url: url } = config;
  const generated = (): OpenApiDocument =>
    JSON.parse(readFileSync(DOCUMENT, 'utf8').replaceAll(DOCUMENTED_SERVER, url)) as OpenApiDocument;
  const complete = (): OpenApiDocument =>
    loadedExtensions().length === 0 ? generated() : withExtensions(generated(), app, config);
  const routes: Readonly<Record<string, () => StoredText>> = {
    '/openapi.json': () => StoredText.of('application/json', JSON.stringify(complete())),
    '/llms.txt': () => StoredText.of('text/plain', llmsText(complete(), url)),
    '/docs/openapi.json': () => {
      const document = pageDocument(complete(), url, new Set(Object.keys(generated().paths)));
      return StoredText.of('application/json', JSON.stringify(document));
    },
    '/docs/renderer.js': () =>
      new StoredText('text/javascript', readFileSync(existsSync(RENDERER) ? RENDERER : RENDERER_OF_TESTS)),
  };
  const express = app.getHttpAdapter() as unknown as ExpressRoutes;
  express.get('/docs', servePage);
  for (const [path, make] of Object.entries(routes)) express.get(path, serveOnceMade(make));
}

/** What is used of the HTTP adapter. */
interface ExpressRoutes {
  get(path: string, handler: (request: Request, response: Response) => void): void;
}

function serveOnceMade(make: () => StoredText): (request: Request, response: Response) => void {
  let stored: StoredText | undefined;
  return (request, response) => (stored ??= make()).send(request, response);
}

/** Its addresses are relative, so they are wrong below `/docs/`. */
function servePage(request: Request, response: Response): void {
  if (request.path.endsWith('/')) response.redirect(301, '../docs');
  else response.set(REFERENCE_PAGE_HEADERS).send(REFERENCE_PAGE);
}

/** @returns the reference of the service with what the extension modules add */
function withExtensions(base: OpenApiDocument, app: NestExpressApplication, config: Config): OpenApiDocument {
  const declared = { routes: app.get(Routes).all(), publicEvents: app.get(PublicEvents).all() };
  const values = { Permission: PERMISSIONS, EventName: EVENT_NAMES, EmailAccountType: ACCOUNT_TYPES };
  return extendedReference(base, describeApi(declared, config.public_url), values);
}
