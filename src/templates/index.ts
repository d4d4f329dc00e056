export {
  parseTemplate,
  Template as ParsedTemplate,
  TemplateCache,
  type TemplateCacheLimits,
  TemplateSyntaxError,
  type TemplateValues,
  toPlainText,
} from './rendering/index.js';
export { Template, TEMPLATE_CATEGORIES, type TemplateCategory } from './template.entity.js';
export { type TemplateDeleted } from './template.events.js';
export { IsTemplateText } from './is-template-text.js';
export { TemplatesModule } from './templates.module.js';
