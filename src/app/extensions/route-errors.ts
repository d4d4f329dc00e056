import type { Route } from '@outreach/http-api/routes';
import type { PublicEventDefinition } from '../../platform/events/index.js';

/** What the modules of a process declare, those of the service first. */
export interface Declared {
  readonly routes: readonly Route[];
  readonly publicEvents: readonly PublicEventDefinition[];
}

/** What a process knows by its declarations. */
interface Known {
  readonly permissions: readonly string[];
  readonly events: readonly string[];
}

/** @returns a message for each route, permission or public event that cannot work */
export function routeErrors({ routes, publicEvents }: Declared, { permissions, events }: Known): string[] {
  return [
    ...routes.flatMap((route, index) => {
      const earlier = routes.slice(0, index).find((other) => takesRequestsOf(other, route));
      return earlier
        ? [`${route.method} ${route.path} cannot be reached: ${earlier.method} ${earlier.path} gets its requests`]
        : [];
    }),
    ...routes
      .filter(({ permission }) => permission && permission !== 'any' && !permissions.includes(permission))
      .map(({ method, path, permission }) => `${method} ${path} needs ${permission}, which does not exist`),
    ...routes
      .filter(({ path, isPublic }) => !isPublic && !path.startsWith('/v1/'))
      .map(({ method, path }) => `${method} ${path} must begin with /v1/`),
    ...publicEvents
      .filter(({ name }) => !events.includes(name))
      .map(({ name }) => `the public event ${name} is not among the declared events`),
    ...events
      .filter((event) => !publicEvents.some(({ name }) => name === event))
      .map((event) => `the declared event ${event} has no @PublicEvent`),
  ];
}

/** Whether every path of `route` is one of `earlier`, which was declared before it. */
function takesRequestsOf(earlier: Route, route: Route): boolean {
  const [parts, later] = [earlier.path.split('/'), route.path.split('/')];
  return (
    earlier.method === route.method &&
    parts.length === later.length &&
    parts.every((part, index) => part.startsWith(':') || part.toLowerCase() === later[index]?.toLowerCase())
  );
}
