export { MessageLinks, type MessageRef } from './links.js';
export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
export { PLANNING, SENDING } from './queues.js';
export { type Bounce, type LinkClicked, type MessagesBounced, type MessagesEvent } from './sending.events.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
