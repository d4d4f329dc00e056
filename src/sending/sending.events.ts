import { KnownIds, type Sql } from '../platform/database/index.js';
import type { BotReason } from './bot-reasons.js';
import type { ReceivedReply } from './feedback/received-reply.js';

/** An event about messages. */
export interface MessagesEvent {
  /** A sub-select of their IDs. */
  readonly messages: Sql;
  /** When it happened, if that was before now. */
  readonly occurred_at?: Date;
}

/** A click on a link. */
export interface LinkClicked extends MessagesEvent {
  /** The target of the link. */
  readonly url: string;
}

/** A request for the pixel or a link of a message that does not count. */
export interface BotActivity {
  readonly message_id: number;
  /** What the request would count as. */
  readonly type: 'opened' | 'clicked';
  /** The target of the link; null for the pixel. */
  readonly url: string | null;
  readonly bot_reason: BotReason;
  readonly occurred_at: Date;
}

/** An open or a click of messages that a provider has reported, because its own pixel or link was requested. */
export interface EngagementReported {
  readonly message_ids: readonly number[];
  readonly type: 'opened' | 'clicked';
  /** The target of the link; null for an open. */
  readonly url: string | null;
  readonly occurred_at: Date;
  /** Whether a mail program has opened the messages ahead of time, so that it does not count. */
  readonly is_machine: boolean;
}

/** Requests that do not count, in their order. */
export interface BotActivities {
  readonly activities: readonly BotActivity[];
}

/** Why a message was not delivered, as a mail server replied or reported. */
export interface Bounce {
  /** `hard`: the address is dead; `soft`: only this message was not delivered. */
  readonly type: 'hard' | 'soft';
  /** The enhanced status code (RFC 3463), or else the reply code (RFC 5321). */
  readonly code: string | null;
  readonly message: string;
}

/** Messages that bounced, all for the same reason. */
export interface MessagesBounced extends MessagesEvent {
  readonly bounce: Bounce;
}

/** A mail that replies to messages. */
export interface ReplyReceived extends MessagesEvent {
  readonly reply: ReceivedReply;
}

declare module '../platform/events/index.js' {
  interface DomainEventMap {
    /** The mail server has accepted the messages. */
    'email.sent': MessagesEvent;
    /** The recipient's server has confirmed the messages. */
    'email.delivered': MessagesEvent;
    /** The recipients have opened the messages; once per message. */
    'email.opened': MessagesEvent;
    /** The recipients have followed a link; for every click. */
    'email.clicked': LinkClicked;
    /** Bots have requested pixels or links of messages; once per request. */
    'email.bot_activity': BotActivities;
    /** A provider has reported opens or clicks. Published each time that they are reported: listeners compare their instants. */
    'engagement.reported': EngagementReported;
    /** The messages were refused, when they were sent or in a later report. */
    'email.bounced': MessagesBounced;
    /** The recipients have reported the messages as spam. */
    'email.complained': MessagesEvent;
    /**
     * A mail replies to a message, of a person or of a machine. Published each time the mail is read: listeners compare
     * its `dedup_key`.
     */
    'reply.received': ReplyReceived;
  }
}

/** Returns the payload of an event about these messages. @param occurredAt when it happened, if that was before now */
export const messagesEvent = (ids: readonly number[], occurredAt?: Date): MessagesEvent => ({
  messages: new KnownIds(ids),
  ...(occurredAt ? { occurred_at: occurredAt } : {}),
});
