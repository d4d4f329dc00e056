import { routeInputs } from './openapi/route-inputs.js';
import { ROUTE_RESPONSE, type RouteResponse } from './responds.decorator.js';
import type { Route } from './routes.js';
import { ignoreFields } from './validation/index.js';
import type { Schema } from './view.js';

/**
 * Lets the body of each route that responds with a record have all fields of the records that the routes of the same
 * path respond with, so that clients can send back what they have read. Those that the body's class does not declare have
 * no effect.
 */
export function ignoreReadOnlyFields(routes: readonly Route[]): void {
  for (const route of routes) {
    const { body } = routeInputs(route);
    if (!body || !('id' in shownFields(route))) continue;
    const related = routes.filter((other) => recordPath(other) === recordPath(route));
    for (const other of related) ignoreFields(body, shownFields(other));
  }
}

/** `/v1/webhooks` and `/v1/webhooks/:id` respond with the same kind of record. */
const recordPath = ({ path }: Route): string => path.replace(/\/:[^/]+$/, '');

function shownFields(route: Route): Readonly<Record<string, Schema>> {
  const method = (route.controller as Readonly<Record<string, object>>)[route.handler] ?? {};
  const { view } = (Reflect.getMetadata(ROUTE_RESPONSE, method) ?? {}) as Partial<RouteResponse>;
  return view?.shape ?? {};
}
