export { DKIM_FIELDS, dkimErrors, type DkimInput, isDomainName, isSelector, wholeDkim } from './dkim-errors.js';
export { type DkimCredentials, isDkimKey } from './dkim-key.js';
