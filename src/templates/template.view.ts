import { is, timestamp, view } from '../platform/http/index.js';
import type { Preview } from './preview/render-preview.js';
import { variablesOf } from './template-variables.js';
import { type Template, TEMPLATE_CATEGORIES } from './template.entity.js';
import type { UnknownVariables } from './unknown-variables.js';

const variables = is.arrayOf(is.string);

/** A template in API v1. */
export const templateView = view(
  'Template',
  {
    id: is.id,
    name: is.string,
    subject: is.string,
    body: is.string,
    category: is.oneOf(TEMPLATE_CATEGORIES),
    variables,
    unknown_variables: variables,
    is_library: is.boolean,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (template: Template & UnknownVariables) => ({
    id: template.id,
    name: template.name,
    subject: template.subject,
    body: template.body,
    category: template.category,
    variables: variablesOf(template),
    unknown_variables: template.unknown_variables,
    is_library: template.is_library,
    created_at: timestamp(template.created_at),
    updated_at: timestamp(template.updated_at),
  }),
);

export const templateVariablesView = view('TemplateVariables', { variables }, (template: Template) => ({
  variables: variablesOf(template),
}));

/** A rendered template. */
export const templatePreviewView = view(
  'TemplatePreview',
  { subject: is.string, body: is.string, unknown_variables: variables },
  ({ subject, body, unknown_variables }: Preview & UnknownVariables) => ({ subject, body, unknown_variables }),
);
