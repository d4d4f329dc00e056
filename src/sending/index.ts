export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
