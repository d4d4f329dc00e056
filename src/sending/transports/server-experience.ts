import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

const MAX_ACCOUNTS = 10_000;
/** For how long the number of sessions that a server takes is remembered. Then one more may have become possible. */
const SESSIONS_MS = 600_000;

interface Account {
  readonly scope: WorkspaceScope;
  readonly account_id: number;
}

/** What this process knows of the servers of accounts from the messages before. */
@Injectable()
export class ServerExperience {
  /** By account: when its provider has served it last, as `performance.now()`. */
  private readonly served = new LRUCache<string, number>({ max: MAX_ACCOUNTS });
  /** By account: how many sessions its server takes at the same time. */
  private readonly sessions = new LRUCache<string, number>({ max: MAX_ACCOUNTS, ttl: SESSIONS_MS });
  /** By account: how many messages its last run has sent. */
  private readonly messages = new LRUCache<string, number>({ max: MAX_ACCOUNTS });

  /** The provider has opened a session, or replied to a message. */
  noteServed(account: Account): void {
    this.served.set(keyOf(account), performance.now());
  }

  /** @param instant as `performance.now()` */
  hasServedSince(account: Account, instant: number): boolean {
    return (this.served.get(keyOf(account)) ?? -Infinity) >= instant;
  }

  /** The server takes no more sessions of the account than these at the same time; at least one. */
  noteSessions(account: Account, sessions: number): void {
    this.sessions.set(keyOf(account), Math.max(1, Math.min(sessions, this.maxSessions(account))));
  }

  /** Now it takes none, which says nothing about later. */
  forgetSessions(account: Account): void {
    this.sessions.delete(keyOf(account));
  }

  /** How many sessions to open at most; Infinity while nothing is known. */
  maxSessions(account: Account): number {
    return this.sessions.get(keyOf(account)) ?? Infinity;
  }

  /** A run that ended because its time was up has sent so many messages. */
  noteMessages(account: Account, messages: number): void {
    this.messages.set(keyOf(account), messages);
  }

  /** How many messages the last run has sent in its time; Infinity if none is known. */
  messagesPerRun(account: Account): number {
    return this.messages.get(keyOf(account)) ?? Infinity;
  }
}

const keyOf = ({ scope, account_id: accountId }: Account): string => `${scope.workspace_id}-${accountId}`;
