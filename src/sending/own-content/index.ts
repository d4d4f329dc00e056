export { OwnContent } from './own-content.entity.js';
export { type OwnMessage, OwnMessages } from './own-messages.js';
