import { customRule } from '../../../platform/http/fields/index.js';

const HTTP = /^https?:\/\/[^\s/?#]\S*$/i;

/** Accepts an absolute http or https URL. */
export const IsWebsite = (): PropertyDecorator =>
  customRule('isWebsite', [], {
    validate: (value) => typeof value === 'string' && HTTP.test(value) && URL.canParse(value),
    message: (field) => `${field} must be a URL that begins with http:// or https://`,
    schema: { type: 'string', format: 'uri' },
  });
