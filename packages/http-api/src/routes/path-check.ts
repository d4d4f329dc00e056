import type { NextFunction, Request, Response } from 'express';
import { MethodNotAllowed, UnknownPath } from '@outreach/http-errors';
import type { Route } from './routes.js';
import { similarPaths } from './similar-paths.js';

interface PathNode {
  readonly fixed: Map<string, PathNode>;
  parameter?: PathNode;
  readonly methods: Set<string>;
}

/** The methods of paths that other middleware serves. */
const READ_METHODS: ReadonlySet<string> = new Set(['GET']);

const newNode = (): PathNode => ({ fixed: new Map(), methods: new Set() });

/**
 * Returns a middleware that responds to an unknown path with 404, naming a similar one, and to a wrong method with 405 and
 * `Allow`, before any other check. A fixed segment takes precedence over a parameter: `GET /blacklist/check` is a wrong method
 * and does not look up the entry `check`.
 * @param middlewarePaths path prefixes that other middleware serves, by GET only
 */
export function pathCheck(routes: readonly Route[], middlewarePaths: readonly string[] = []) {
  const root = newNode();
  for (const { path, method } of routes) insert(root, path, method);
  const findSimilar = similarPaths([...routes, ...middlewarePaths.map((path) => ({ path, method: 'GET' }))]);
  const isServedByMiddleware = (path: string): boolean =>
    middlewarePaths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return (request: Request, response: Response, next: NextFunction): void => {
    const methods = isServedByMiddleware(request.path)
      ? READ_METHODS
      : find(root, request.path.split('/').filter(Boolean))?.methods;
    if (!methods || methods.size === 0 || !isDecodable(request.path)) {
      return next(new UnknownPath(findSimilar(request.method, request.path)));
    }
    if (methods.has(request.method) || (request.method === 'HEAD' && methods.has('GET'))) return next();
    response.setHeader('Allow', allowed(methods).join(', '));
    if (request.method === 'OPTIONS') response.status(204).end();
    else next(new MethodNotAllowed(allowed(methods)));
  };
}

function insert(root: PathNode, path: string, method: string): void {
  let at = root;
  for (const segment of path.split('/').filter(Boolean)) {
    if (segment.startsWith(':')) at = at.parameter ??= newNode();
    else {
      const next = at.fixed.get(segment) ?? newNode();
      at.fixed.set(segment, next);
      at = next;
    }
  }
  at.methods.add(method);
}

function find(root: PathNode, segments: readonly string[]): PathNode | undefined {
  let at: PathNode | undefined = root;
  for (const segment of segments) at = at?.fixed.get(segment) ?? at?.parameter;
  return at;
}

const allowed = (methods: ReadonlySet<string>): string[] =>
  [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort();

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}
