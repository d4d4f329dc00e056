import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/index.js';
import { Log } from '../logging/index.js';
import { type NonJsonBodies, readBody } from './body.js';
import { OpenConnections } from './open-connections.js';
import { pathCheck } from './path-check.js';
import { requestContext } from './request-context.js';
import { Routes } from './routes.js';
import { handleClientErrors } from './client-errors.js';

/** What the composition root tells the HTTP layer about its routes. */
export interface HttpSetup {
  /** Path prefixes that middleware outside the controllers serves. */
  readonly middlewarePaths: readonly string[];
  /** Routes whose bodies are no JSON. */
  readonly nonJsonBodies: NonJsonBodies;
}

/**
 * Puts the middleware before the routes, in the order in which a request is looked at: its ID, path and method, body.
 * @throws Error when a route is open: it declares neither a permission nor that it is public
 */
export function setUpExpress(app: NestExpressApplication, config: Config, setup: HttpSetup): void {
  const routes = app.get(Routes);
  routes.assertClosed();
  app.get(OpenConnections).watch(app.getHttpServer());
  handleClientErrors(app.getHttpServer());
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', [...config.trust_proxy]);
  app.disable('x-powered-by');
  app.use(requestContext(app.get(Log)));
  app.use(pathCheck(routes.all(), setup.middlewarePaths));
  app.use(readBody(setup.nonJsonBodies));
}

/** Takes no more connections and requests, and resolves when the requests in hand are answered. */
export const stopListening = (app: NestExpressApplication): Promise<void> => app.get(OpenConnections).drain();
