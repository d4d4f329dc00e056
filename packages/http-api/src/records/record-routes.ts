import { ROUTE_RESPONSE, type RouteResponse } from '../responses/index.js';
import { RECORD_RULES, type RecordRule } from './record-rules.js';
import { type Route, routeMetadata } from '../routes/index.js';

/** What `@Responds` of a route declares. */
export const declaredResponse = (route: Route): RouteResponse | undefined => routeMetadata(route, ROUTE_RESPONSE);

/** The records that a route loads before its input is validated. */
export const recordRules = <T extends object = object>(route: Route): readonly RecordRule<T>[] =>
  routeMetadata(route, RECORD_RULES) ?? [];

/** Whether a route responds with one record in `data`, so that a `GET` has an entity tag. */
export const respondsRecord = (declared: RouteResponse): boolean =>
  declared.envelope === 'data' && !declared.mediaType && !declared.view?.items && declared.schema?.type !== 'array';

/** Whether a route shows one record. */
const isGet = (route: Route): boolean => {
  const declared = declaredResponse(route);
  return route.method === 'GET' && !route.isPublic && declared?.view !== undefined && respondsRecord(declared);
};

/** The views of the records that a `GET` shows. Other responses with these records have their entity tags, too. */
export const shownViews = (routes: readonly Route[]): ReadonlySet<unknown> =>
  new Set(routes.filter(isGet).map((route) => declaredResponse(route)?.view));

/** A route that changes or deletes the record that another one shows. */
export interface ConditionalRoute<T extends object = object> {
  /** The route that shows the record. */
  readonly get: Route;
  /** How the record is found; undefined if the path has no parameter. */
  readonly rule: RecordRule<T> | undefined;
}

/**
 * Returns how the record is found and shown that a `PUT`, `PATCH` or `DELETE` changes. It is shown by the `GET` of the same
 * path, or else by the one with the same view.
 * @returns undefined if no route shows it
 */
export function conditionalRoute<T extends object = object>(
  route: Route,
  routes: readonly Route[],
): ConditionalRoute<T> | undefined {
  if (!CONDITIONAL_METHODS.has(route.method) || route.isPublic) return undefined;
  const shown = routes.filter((other) => isGet(other) && !isByKey(other, routes));
  const view = declaredResponse(route)?.view;
  const get =
    shown.find((other) => shapeOf(other) === shapeOf(route)) ??
    shown.find((other) => view !== undefined && declaredResponse(other)?.view === view && other.path.includes(':'));
  if (!get || !(lastParameter(route) || shapeOf(get) === shapeOf(route))) return undefined;
  return { get, rule: ruleOf<T>(route, routes) };
}

const CONDITIONAL_METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/** Whether the path of a route has a unique text of the record, instead of its ID. */
const isByKey = (route: Route, routes: readonly Route[]): boolean =>
  routes.some((other) => other.path === route.path && recordRules(other).some(({ readText }) => readText));

/** Paths that differ only in the names of their parameters are the same. */
const shapeOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, ':');

/** The parameter at the end of a path. */
export const lastParameter = ({ path }: Pick<Route, 'path'>): string | undefined => /:(\w+)$/.exec(path)?.[1];

/** The rule of the route itself, or of another one for the same record. */
function ruleOf<T extends object>(route: Route, routes: readonly Route[]): RecordRule<T> | undefined {
  const related = routes.filter(({ path }) => path === route.path || path.startsWith(`${route.path}/`));
  return [route, ...related].flatMap(recordRules<T>).find(({ parameter }) => parameter === lastParameter(route));
}
