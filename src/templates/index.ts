export { BRAND_VARIABLES, type BrandValues, brandValues, NO_BRAND } from './brand.js';
export { AreVariableNames } from './are-variable-names.js';
export { IsLiteralHtml, literalText } from './literal-html.js';
export { IsTemplateText } from './is-template-text.js';
export { type Preview, renderPreview } from './preview/render-preview.js';
export { MESSAGE_VARIABLES, type MessageValues, recipientValues } from './recipient-values.js';
export { SAMPLE_MESSAGE, sampleTemplateValues } from './preview/sample-values.js';
export { type WorkspaceIdentity, workspaceIdentity } from './workspace-identity.queries.js';
export { type UnknownVariables, withItsUnknownVariables, withUnknownVariables } from './unknown-variables.js';
export {
  assertStorable,
  BodyCache,
  type Footer,
  type HtmlAdditions,
  imageAddresses,
  linkAddresses,
  onOneLine,
  parseTemplate,
  RenderedTooLong,
  ParsedTemplate,
  type TemplateBody,
  TemplateCache,
  TemplateSyntaxError,
  TemplateTooComplex,
  TemplateTooLarge,
  type TemplateValues,
  tokenSource,
  toPlainText,
  variablesWithoutDefault,
} from './rendering/index.js';
export { TemplateLimit } from './template-limit.js';
export { Template, TEMPLATE_CATEGORIES, type TemplateCategory } from './template.entity.js';
export { type TemplateDeleted } from './template.events.js';
export { variablesOf } from './template-variables.js';
export { insertOriginals } from './templates.queries.js';
export { templateView } from './template.view.js';
export { TemplatesModule } from './templates.module.js';
