export { openApiDocument, type OpenApiDocument } from './document.js';
export { type OutgoingRequest, type OutgoingRequests } from './outgoing.js';
export { ignoreReadOnlyFields } from './read-only-fields.js';
export { NO_TEXTS, type ReferenceTexts } from './reference-texts.js';
export { routeInputs, type RouteInputs } from './route-inputs.js';
export { Summary, summaryOf } from './summary.js';
