export { llmsText } from './llms-text.js';
export { pageDocument } from './page-document.js';
export { REFERENCE_PAGE, REFERENCE_PAGE_HEADERS } from './reference-page.js';
export type { ReferenceDocument } from './reference-document.js';
