export { DKIM_FIELDS, dkimErrors, type DkimInput, isSelector, wholeDkim } from './dkim-errors.js';
export { dkimInputs } from './dkim-inputs.js';
export { canSign, DKIM_KEY_RULE, type DkimCredentials, isDkimKey } from './dkim-key.js';
