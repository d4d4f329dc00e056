import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Busy } from '../../platform/errors/index.js';
import { GroupCommit, type GroupedWork, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { countStored, type NewCallback, storeCallbacks } from './callbacks.queries.js';

/** How many requests of a workspace may wait, and how many bytes. Providers repeat those that are refused. */
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 64_000_000;
/** How many events of a workspace may have failed. None of them is deleted before its time. */
const MAX_FAILED_CALLBACKS = 10_000;
/** Each process counts them this often: so much longer the backlog can get. */
const COUNT_MS = 1_000;
const MAX_WORKSPACES = 10_000;

const STORING: GroupedWork<NewCallback, number> = { order: 1, run: storeCallbacks };

/** Stores the requests of providers. Those that arrive together share a transaction. */
@Injectable()
export class CallbackRecording {
  private readonly transactions = new GroupCommit(() => 1);
  private readonly counted = new LRUCache<number, true>({ max: MAX_WORKSPACES, ttl: COUNT_MS });

  /**
   * Stores a verified request, unless none of its events is about a message of the workspace.
   * @returns how many are. @throws Busy if too many requests of the workspace wait, or too many of its events have failed
   */
  async record(scope: WorkspaceScope, callback: NewCallback): Promise<number> {
    if (callback.messages.length === 0) return 0;
    await this.assertRoom(scope);
    return this.transactions.submit(scope, STORING, callback);
  }

  private async assertRoom(scope: WorkspaceScope): Promise<void> {
    if (this.counted.has(scope.workspace_id)) return;
    const limits = { callbacks: MAX_WAITING, failed: MAX_FAILED_CALLBACKS };
    const { callbacks, bytes, failed } = await countStored(scope, limits);
    if (callbacks >= MAX_WAITING || bytes >= MAX_WAITING_BYTES || failed >= MAX_FAILED_CALLBACKS) throw new Busy();
    this.counted.set(scope.workspace_id, true);
  }
}
