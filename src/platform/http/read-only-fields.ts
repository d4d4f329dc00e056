import { routeInputs } from './openapi/index.js';
import { ROUTE_RESPONSE, type RouteResponse } from './responds.decorator.js';
import type { Route } from './routes.js';
import { ignoreFields } from './validation/index.js';

/**
 * Lets the body of each route have the fields of the record that the routes of the same path respond with, so that
 * clients can send back what they have read. Those that the body's class does not declare have no effect.
 */
export function ignoreReadOnlyFields(routes: readonly Route[]): void {
  const shown = new Map<string, string[]>();
  for (const route of routes) {
    const path = recordPath(route);
    shown.set(path, [...(shown.get(path) ?? []), ...shownFields(route)]);
  }
  for (const route of routes) {
    const { body } = routeInputs(route);
    if (body) ignoreFields(body, shown.get(recordPath(route)) ?? []);
  }
}

/** `/v1/webhooks` and `/v1/webhooks/:id` respond with the same kind of record. */
const recordPath = ({ path }: Route): string => path.replace(/\/:[^/]+$/, '');

function shownFields(route: Route): string[] {
  const method = (route.controller as Readonly<Record<string, object>>)[route.handler] ?? {};
  const { view } = (Reflect.getMetadata(ROUTE_RESPONSE, method) ?? {}) as Partial<RouteResponse>;
  return Object.keys(view?.shape ?? {});
}
