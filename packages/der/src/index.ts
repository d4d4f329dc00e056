export { fromBase64 } from './base64.js';
export { bitsOf, DER, derSequence, type DerValue, derValues, RSA_OID } from './der.js';
