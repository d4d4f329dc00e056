export { Template, TEMPLATE_CATEGORIES, type TemplateCategory } from './template.entity.js';
