import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { messagesEvent } from '../sending.events.js';
import { type OnceColumn, recordOnce } from './feedback.queries.js';

/** A link that was followed. */
export interface Click {
  /** Where it leads. */
  readonly url: string;
  readonly occurred_at?: Date | undefined;
}

/** Opens and clicks that count, whoever has seen them. Call it inside the transaction of the cause. */
@Injectable()
export class Engagement {
  constructor(private readonly events: DomainEvents) {}

  /** The recipients have opened the messages; `email.opened` tells of each message once. */
  async opened(tx: WorkspaceScope, ids: readonly number[], occurredAt?: Date): Promise<void> {
    const first = await this.once(tx, ids, 'opened_at', occurredAt);
    if (first.length > 0) await this.events.publish(tx, 'email.opened', messagesEvent(first, occurredAt));
  }

  /** The recipients have followed a link, and so have opened the messages; `email.clicked` tells of it each time. */
  async clicked(tx: WorkspaceScope, ids: readonly number[], click: Click): Promise<void> {
    await this.firstClicks(tx, ids, click);
    await this.publishClicked(tx, ids, click);
  }

  /** The same, told by somebody who may repeat himself: only the first click of each message counts. */
  async clickedFirst(tx: WorkspaceScope, ids: readonly number[], click: Click): Promise<void> {
    await this.publishClicked(tx, await this.firstClicks(tx, ids, click), click);
  }

  private async firstClicks(tx: WorkspaceScope, ids: readonly number[], { occurred_at: at }: Click): Promise<number[]> {
    await this.opened(tx, ids, at);
    return this.once(tx, ids, 'clicked_at', at);
  }

  private async publishClicked(
    tx: WorkspaceScope,
    ids: readonly number[],
    { url, occurred_at: at }: Click,
  ): Promise<void> {
    if (ids.length > 0) await this.events.publish(tx, 'email.clicked', { ...messagesEvent(ids, at), url });
  }

  /** @returns the messages that had no such date yet */
  private async once(tx: WorkspaceScope, ids: readonly number[], column: OnceColumn, at?: Date): Promise<number[]> {
    const updated = await recordOnce(tx, ids, column, at ? sql`${at}::timestamptz` : sql`now()`);
    return updated.map(({ id }) => id);
  }
}
