export { DKIM_FIELDS, dkimErrors, type DkimInput, isSelector, wholeDkim } from './dkim-errors.js';
export { dkimInputs } from './dkim-inputs.js';
