export { type About, openApiDocument, type OpenApiDocument } from './document.js';
export { type Outgoing, type OutgoingRequest } from './outgoing.js';
export { type RouteInputs, routeInputs } from './route-inputs.js';
export { Summary, summaryOf } from './summary.js';
