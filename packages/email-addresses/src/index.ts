export {
  emailAddressError,
  isEmailAddress,
  MAX_EMAIL_LENGTH,
  normalizeEmail,
  normalizeEmailPart,
} from './email-address.js';
