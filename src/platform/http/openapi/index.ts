export { type About, openApiDocument, type OpenApiDocument } from './document.js';
export { type RouteInputs, routeInputs } from './route-inputs.js';
export { Summary, summaryOf } from './summary.js';
