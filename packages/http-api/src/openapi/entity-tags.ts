import { conditionalRoute, declaredResponse, respondsRecord, shownViews } from '../records/index.js';
import type { Route } from '../routes/index.js';

/** What a route has to do with entity tags (RFC 9110, 8.8.3). */
export interface EntityTags {
  /** Whether the response has one. */
  readonly isTagged: boolean;
  /** The names of the parameters with conditions. */
  readonly conditions: readonly ('IfMatch' | 'IfNoneMatch')[];
}

/** Returns a function from routes to what they have to do with entity tags. */
export function entityTags(routes: readonly Route[]): (route: Route) => EntityTags {
  const views = shownViews(routes);
  return (route) => {
    const declared = declaredResponse(route);
    const isRead = route.method === 'GET';
    const isRecord = declared !== undefined && !route.isPublic && respondsRecord(declared);
    const isTagged = isRead ? isRecord : declared?.view !== undefined && views.has(declared.view);
    if (isRead) return { isTagged, conditions: isTagged ? ['IfNoneMatch'] : [] };
    return { isTagged, conditions: conditionalRoute(route, routes) ? ['IfMatch', 'IfNoneMatch'] : [] };
  };
}
