export { parseTemplate } from './template-parser.js';
export { Template, type Piece, type Variable } from './template.js';
export { TemplateCache, type TemplateCacheLimits } from './template-cache.js';
export { TemplateSyntaxError } from './template-syntax-error.js';
export type { TemplateValues } from './template-values.js';
export { toPlainText } from './plain-text.js';
