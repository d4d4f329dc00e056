export { Accepted, type AcceptedBody, type AcceptedResponse, setAccepted, WaitSignal } from './accepted.js';
export { entityTag, matchesStrongly, matchesWeakly, recordTag } from './entity-tag.js';
export {
  type DeclaredError,
  Responds,
  RespondsNoContent,
  RespondsPage,
  RespondsStream,
  ROUTE_RESPONSE,
  type RouteResponse,
} from './responds.decorator.js';
export { arrayView, is, NAMED, NAMED_ENUM, type NamedShape, type Schema, timestamp, view, type View } from './view.js';
