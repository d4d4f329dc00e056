export {
  hasInternationalLocalPart,
  isEmailAddress,
  localPartRule,
  MAX_EMAIL_LENGTH,
  normalizeEmail,
  normalizeEmailPart,
} from './email-address.js';
