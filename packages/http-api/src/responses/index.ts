export { Accepted, type AcceptedBody, type AcceptedResponse, setAccepted, WaitSignal } from './accepted.js';
export { entityTag, matchesStrongly, matchesWeakly, recordTag } from './entity-tag.js';
export { LARGE_RESPONSE, LargeResponse, type LargeRows } from './large-response.js';
export {
  type DeclaredError,
  type RecordPage,
  Responds,
  RespondsNoContent,
  RespondsPage,
  RespondsStream,
  ROUTE_RESPONSE,
  type RouteResponse,
} from './responds.decorator.js';
export { arrayView, is, NAMED, NAMED_ENUM, type NamedShape, type Schema, timestamp, view, type View } from './view.js';
