import { is, view } from '@outreach/http-api/responses';
import { variablesOf } from './template-variables.js';
import { type Template, TEMPLATE_CATEGORIES } from './template.entity.js';
import type { UnknownVariables } from './unknown-variables.js';

const variables = is.arrayOf(is.string);

/** A template in API v1. */
export const templateView = view(
  'Template',
  {
    id: is.id,
    /** The name, for you. At most 255 characters. */
    name: is.string,
    /** The subject, with variables such as `{{ first_name }}`. At most 500 characters, in one line. */
    subject: is.string,
    /**
     * The HTML, with variables: every field of a contact (`{{ first_name }}`), every custom field by its key (`{{
     * employees }}`), `{{ sender.name }}`, `{{ sender.email }}`, `{{ sender_address }}` and `{{ unsubscribe_url }}`. `{{
     * first_name | default: "there" }}` gives a text for an empty value; a variable that does not exist is empty. `{{
     * company | url }}` is percent-encoded, for links: `https://example.com/?q={{ company | url }}`. At most 256 KB, with at
     * most 500 variables.
     */
    body: is.string,
    /** What the template is for. */
    category: is.oneOf(TEMPLATE_CATEGORIES),
    /** The names that were given, then those found in subject and body, each once. */
    variables,
    /**
     * Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be
     * empty.
     */
    unknown_variables: variables,
    /** Whether the template is in the library of the workspace. */
    is_library: is.boolean,
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (template: Template & UnknownVariables) => ({ variables: variablesOf(template) }),
);

export const templateVariablesView = view(
  'TemplateVariables',
  {
    /** The names that were given, then those found in subject and body, each once. */
    variables,
  },
  (template: Template) => ({ variables: variablesOf(template) }),
);

/** A rendered template. */
export const templatePreviewView = view('TemplatePreview', {
  /** The subject with all variables filled in. */
  subject: is.string,
  /** The HTML with all variables filled in; values are escaped. */
  body: is.string,
  /** Variables that have neither a value in the request nor a known meaning. They are empty. */
  unknown_variables: variables,
});
