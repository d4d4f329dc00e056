export { type Recipient, RecipientObstacles } from './recipient-obstacles.js';
export { RecipientRefused } from './recipient.errors.js';
