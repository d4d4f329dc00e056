import { routeInputs } from './route-inputs.js';
import { declaredResponse } from '../records/index.js';
import type { Schema } from '../responses/index.js';
import type { Route } from '../routes/index.js';
import { declaredFields, ignoreFields } from '../fields/index.js';

type Shape = Readonly<Record<string, Schema>>;

/**
 * Lets the body of each route that responds with a record have all fields of the records that the routes of the same
 * path respond with, so that clients can send back what they have read; so does the body of each update, also of a record
 * without an ID, such as the settings. Those that the body's class does not declare have no effect. The body of an operation,
 * such as the copy of a record, does not write back what was read: fields that other bodies of the record set are unknown to it.
 */
export function ignoreReadOnlyFields(routes: readonly Route[]): void {
  for (const route of routes) {
    const { body } = routeInputs(route);
    if (!body || !('id' in shownFields(route) || route.method === 'PUT')) continue;
    const related = routes.filter((other) => recordPath(other) === recordPath(route));
    const isOperation = related.every(({ method }) => method !== 'GET');
    const refused = isOperation ? settableFields(routes, shownFields(route)) : new Set<string>();
    for (const other of related) ignoreFields(body, without(refused, shownFields(other)));
  }
}

/** `/v1/webhooks` and `/v1/webhooks/:id` respond with the same kind of record. */
const recordPath = ({ path }: Route): string => path.replace(/\/:[^/]+$/, '');

const shownFields = (route: Route): Shape => declaredResponse(route)?.view?.shape ?? {};

/** Returns the fields that the bodies of the routes set which respond with this kind of record. */
const settableFields = (routes: readonly Route[], shape: Shape): ReadonlySet<string> =>
  new Set(
    routes
      .filter((route) => shownFields(route) === shape)
      .flatMap((route) => {
        const { body } = routeInputs(route);
        return body ? [...declaredFields(body)] : [];
      }),
  );

const without = (names: ReadonlySet<string>, shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !names.has(name)));
