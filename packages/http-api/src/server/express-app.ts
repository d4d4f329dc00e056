import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { limitDiscarding, type NonJsonBodies, postponeContinue } from '../body/index.js';
import { OpenConnections } from './open-connections.js';
import { pathCheck, patchAsPut, Routes } from '../routes/index.js';
import { ignoreReadOnlyFields } from '../openapi/index.js';
import { type EndedRequest, requestContext } from '../requests/index.js';
import { closeIfStalled } from './stalled-clients.js';
import { handleClientErrors, refuseClientErrors } from '../error-responses/index.js';

/** How long a client may take to send the head of a request, and the whole request, e.g. an import of 10 MB. */
const HEAD_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 300_000;

/**
 * How long a connection may be idle between requests. Longer than load balancers and clients reuse a connection, usually
 * for 60 seconds: if the server closed it first, a request could be on its way and be lost.
 */
const IDLE_CONNECTION_MS = 75_000;

/** What the HTTP layer cannot read from the controllers. */
export interface HttpSetup {
  /** Where `/` leads a browser. */
  readonly homePage: string;
  /** Path prefixes that other middleware serves. */
  readonly middlewarePaths: readonly string[];
  /** Paths whose request bodies are not JSON. */
  readonly nonJsonBodies: NonJsonBodies;
}

/** What the process knows that serves them. */
export interface HttpProcess {
  /** The proxies in front of the process that say where a request comes from. */
  readonly trustedProxies: readonly string[];
  /** Gets each request at its end, for logs and metrics. */
  readonly requestEnded: (request: EndedRequest) => void;
}

/**
 * Adds the middleware that runs before the routes, in this order: request ID, `Host` and `Expect`, path and method. The guards of
 * the application do the rest, and read the body.
 * @throws Error if a route declares neither a permission nor that it is public
 */
export function setUpExpress(
  app: NestExpressApplication,
  setup: HttpSetup,
  { trustedProxies, requestEnded }: HttpProcess,
): void {
  const routes = app.get(Routes);
  routes.assertPermissionsDeclared();
  ignoreReadOnlyFields(routes.all());
  app.get(OpenConnections).watch(app.getHttpServer());
  handleClientErrors(app.getHttpServer());
  postponeContinue(app.getHttpServer());
  Object.assign(app.getHttpServer(), {
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', [...trustedProxies]);
  app.disable('x-powered-by');
  app.getHttpServer().on('request', (_: unknown, response: ServerResponse) => closeIfStalled(response));
  app.use(requestContext(requestEnded));
  app.use(refuseClientErrors);
  app.use(leadBrowsersHome(setup.homePage));
  app.use(pathCheck(routes.all(), setup.middlewarePaths));
  app.use(patchAsPut);
  app.use(limitDiscarding);
}

/** The address is relative, so that it also holds behind a proxy that serves the API below a path of its own. */
function leadBrowsersHome(homePage: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isPage = request.method === 'GET' && request.path === '/' && request.headers.accept?.includes('text/html');
    if (isPage) response.vary('Accept').redirect(302, homePage);
    else next();
  };
}

/** Makes readiness checks fail, while requests are still served. */
export const prepareToStop = (app: NestExpressApplication): void => app.get(OpenConnections).prepareToDrain();

/** Stops accepting connections and requests. Resolves when the running requests have their responses. */
export const stopListening = (app: NestExpressApplication): Promise<void> => app.get(OpenConnections).drain();
