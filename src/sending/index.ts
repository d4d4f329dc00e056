export { type BotReason, BOT_REASONS } from './bot-reasons.js';
export { mayTrackContact } from './tracking-consent.queries.js';
export { type Click, Engagement } from './feedback/engagement.js';
export { type UnsubscribedRecipient, Unsubscribing } from './feedback/unsubscribing.js';
export { DeliveryReports, type ReportedMessages } from './feedback/delivery-reports.js';
export { MessageReferences, type ReportedMessageRef } from './feedback/message-references.js';
export { type MessageReport } from './feedback/message-report.js';
export {
  type ReceivedClassification,
  type ReceivedReply,
  RECEIVED_CLASSIFICATIONS,
} from './feedback/received-reply.js';
export { type MessageLink, MessageLinks, type MessageRef, type UnsubscribeRef } from './message-links.js';
export {
  type AnsweredMessage,
  contactsAmong,
  findAnswered,
  findAnsweredByAddress,
} from './feedback/answered-messages.queries.js';
export { lockMessagesOf, storeFigures, storeFiguresOfContact } from './messages/stored-figures.queries.js';
export { messageRecords, messagesWithContent } from './messages/message-records.queries.js';
export { type MessageRecord, messageView, messageWithContentView } from './messages/message.view.js';
export { MessageResult } from './message-result.entity.js';
export { Message, MESSAGE_STATUSES, type MessageStatus } from './message.entity.js';
export { Absence, Absences, blockedUntil, isBlocked, NewContactCount } from './rules/index.js';
export { OwnContent, OwnMessages } from './own-content/index.js';
export { EXAMPLE_EMAIL } from './public-events/email-event.example.js';
export { emailEventShape, type EmailEventRow } from './public-events/email-event.view.js';
export { MessageClaim, QueuedMessage } from './queued-message.entity.js';
export { PLANNING, SENDING } from './queues.js';
export {
  type BotActivity,
  type Bounce,
  type EngagementReported,
  type LinkClicked,
  type MessagesBounced,
  type MessagesEvent,
  type ReplyReceived,
} from './sending.events.js';
export { RecipientObstacles } from './recipients/index.js';
export {
  dropOldMessages,
  SANDBOX_MESSAGE_DAYS,
  SandboxDelay,
  SandboxMessage,
  SandboxReaction,
} from './simulation/index.js';
export { SendingModule, SendingWorkerModule } from './sending.module.js';
