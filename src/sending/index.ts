export { MessageLinks, type MessageRef } from './links.js';
export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
export { PLANNING, SENDING } from './queues.js';
export { type MessagesEvent } from './sending.events.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
