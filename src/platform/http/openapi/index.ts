export { type DocumentOptions, openApiDocument, type OpenApiDocument } from './document.js';
export { type OutgoingRequests, type OutgoingRequest } from './outgoing.js';
export { type RouteInputs, routeInputs } from './route-inputs.js';
export { Summary, summaryOf } from './summary.js';
export { type DocComments, NO_TEXTS, type ReferenceTexts } from './reference-texts.js';
