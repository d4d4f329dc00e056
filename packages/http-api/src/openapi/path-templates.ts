import type { Route } from '../routes/index.js';

/** The path of a route in OpenAPI, and the names of its parameters there. */
export interface PathTemplate {
  readonly path: string;
  /** Name in the route → name in the template. */
  readonly names: ReadonlyMap<string, string>;
}

const PARAMETER = /:(\w+)/g;
const shapeOf = ({ path }: Route): string => path.replaceAll(PARAMETER, '{}');
const namesOf = ({ path }: Route): string[] => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);

/**
 * Returns a function from routes to templates. OpenAPI treats paths that differ only in the names of their parameters
 * as identical (3.1.0, "Path Templating"), so `/blacklist/:id` and `/blacklist/:email` become
 * `/blacklist/{id_or_email}`.
 */
export function pathTemplates(routes: readonly Route[]): (route: Route) => PathTemplate {
  const names = new Map<string, Set<string>[]>();
  for (const route of routes) {
    const positions = names.get(shapeOf(route)) ?? namesOf(route).map(() => new Set<string>());
    namesOf(route).forEach((name, position) => positions[position]?.add(name));
    names.set(shapeOf(route), positions);
  }
  return (route) => {
    const joinedNames = (names.get(shapeOf(route)) ?? []).map((position) => [...position].join('_or_'));
    const templateNames = new Map(namesOf(route).map((name, position) => [name, joinedNames[position] ?? name]));
    return {
      path: route.path.replaceAll(PARAMETER, (_, name: string) => `{${templateNames.get(name)}}`),
      names: templateNames,
    };
  };
}
