import { customRule } from '../platform/http/fields/index.js';

const CLASSIFICATION = /^[a-z0-9_-]{1,50}$/;

/** A class-validator rule for a classification: one that the service gives, or one of the client's own. */
export const IsClassification = (): PropertyDecorator =>
  customRule('isClassification', [], {
    validate: (value) => typeof value === 'string' && CLASSIFICATION.test(value),
    message: (field) => `${field} must have 1 to 50 characters of a-z, 0-9, _ and -`,
    schema: { type: 'string', pattern: '^[a-z0-9_-]{1,50}$' },
  });
