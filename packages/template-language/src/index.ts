export { BodyCache } from './body-cache.js';
export type { Footer } from './convert-body.js';
export { escapeHtml, onOneLine } from './escaping.js';
export { foreignMergeTags } from './foreign-merge-tags.js';
export { imageAddresses, linkAddresses } from './html-scan.js';
export type { HtmlAdditions } from './linked-html.js';
export type { CacheCapacity } from './parse-cache.js';
export { ParsedTemplate, type TemplateToken, tokenSource, type Variable } from './parsed-template.js';
export { toPlainText } from './plain-text.js';
export { RenderedTooLong } from './rendered-too-long.js';
export { type RenderedBody, TemplateBody } from './template-body.js';
export { TemplateCache } from './template-cache.js';
export { TemplateTooLarge } from './template-limits.js';
export { assertStorable, parseTemplate, variableNames, variablesWithoutDefault } from './template-parser.js';
export { TemplateSyntaxError } from './template-syntax-error.js';
export { TemplateTooComplex } from './template-too-complex.js';
export {
  type HtmlFormat,
  type RecordOptions,
  type ValueReader,
  valuesOf,
  variableName,
  type VariableName,
} from './values.js';
