export { type Click, Engagement } from './feedback/engagement.js';
export { DeliveryReports } from './feedback/delivery-reports.js';
export { type MessageReport } from './feedback/message-report.js';
export { HIDDEN_LINK, type MessageLink, MessageLinks, type MessageRef, type UnsubscribeRef } from './message-links.js';
export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
export { PLANNING, SENDING } from './queues.js';
export { isDeadAddress } from './results/index.js';
export { type Bounce, type LinkClicked, type MessagesBounced, type MessagesEvent } from './sending.events.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
