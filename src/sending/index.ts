export { isDead } from './handover/verdict.js';
export { HIDDEN_LINK, type MessageLink, MessageLinks, type MessageRef } from './links.js';
export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
export { type Click, Engagement } from './outcomes/engagement.js';
export { type MessageReport } from './outcomes/message-report.js';
export { Outcomes } from './outcomes/outcomes.js';
export { PLANNING, SENDING } from './queues.js';
export { type Bounce, type LinkClicked, type MessagesBounced, type MessagesEvent } from './sending.events.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
