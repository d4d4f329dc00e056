import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { Metrics } from '@outreach/metrics';
import { errorResponse } from '../../platform/http/error-responses/index.js';
import { type DomainError, MethodNotAllowed, NotFound } from '@outreach/http-errors';
import { handleClientErrors } from '@outreach/http-api/error-responses';
import { closeIfStalled } from '@outreach/http-api/server';
import { type ListenAddress, cannotListen } from '../listening.js';
import { Health } from './health.js';
import type { Readiness } from './health.view.js';

const MAX_CONNECTIONS = 100;
const REQUEST_TIMEOUT_MS = 20_000;
/** Longer than the usual intervals of scrapes and checks, which reuse a connection. */
const IDLE_CONNECTION_MS = 75_000;
const METHODS = ['GET', 'HEAD'];

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly allow?: string;
}

type Route = () => Promise<Reply>;

/** The port with `/metrics` and `/health/*` alone. It needs no database, and is not Nest's: a worker has no other port. */
export interface MonitoringPort {
  close(): Promise<void>;
}

/**
 * Listens for scrapes and health checks.
 * @throws StartFailed if it cannot listen
 */
export async function openMonitoringPort(
  app: INestApplicationContext,
  address: ListenAddress,
): Promise<MonitoringPort> {
  const routes = routesOf(app.get(Health), app.get(Metrics));
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: IDLE_CONNECTION_MS });
  server.maxConnections = MAX_CONNECTIONS;
  handleClientErrors(server);
  server.on('request', (request, response) => {
    closeIfStalled(response);
    void respond(routes, request, response);
  });
  await listen(server, address);
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw cannotListen({ host, port }, error);
  }
}

const routesOf = (health: Health, metrics: Metrics): ReadonlyMap<string, Route> =>
  new Map<string, Route>([
    ['/metrics', async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() })],
    ['/health/live', async () => json(200, { status: 'ok' })],
    ['/health/ready', async () => readinessReply(await health.readyForWork())],
    ['/health/work', async () => readinessReply(await health.doesWork())],
  ]);

async function respond(
  routes: ReadonlyMap<string, Route>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const [path = ''] = (request.url ?? '').split('?');
  const route = routes.get(path);
  const { method = '' } = request;
  const isAllowed = METHODS.includes(method);
  const { status, type, text, allow } =
    route && isAllowed ? await route() : refusal(route ? new MethodNotAllowed(METHODS) : new NotFound());
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': length, ...(allow ? { Allow: allow } : {}) });
  response.end(method === 'HEAD' ? undefined : text);
}

function refusal(error: DomainError): Reply {
  const { status, body } = errorResponse(error);
  const reply = json(status, body);
  return error instanceof MethodNotAllowed ? { ...reply, allow: error.allow.join(', ') } : reply;
}

const readinessReply = ({ status, body }: Readiness): Reply => json(status, body);

const json = (status: number, body: object): Reply => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(body),
});
