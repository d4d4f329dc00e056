import { DatabaseUnavailable, isLockTimeout } from '@outreach/database';
import { WorkspaceScope } from './workspace-scope.js';

/** What many callers want to be done to one record each, in few transactions. */
export interface GroupedWork<In, Out> {
  /** In a transaction, work with a lower number runs first. */
  readonly order: number;
  /**
   * Processes items of one workspace. It may run again with a part of them, so it has no effect outside the database.
   * @param scope the workspace without the transaction, for callbacks after the commit
   * @returns the results of the items, in their order
   */
  run(tx: WorkspaceScope, items: readonly In[], scope: WorkspaceScope): Promise<readonly Out[]>;
}

interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** How many workspaces share a transaction: their statements run one after the other. */
const MAX_WORKSPACES = 8;
/** How many items a transaction has, about. */
const MAX_ITEMS = 120;
/** How many transactions run at the same time if more items wait than one of them takes. */
const MAX_TRANSACTIONS = 3;
/** How many times the duration of a transaction is between its start and that of the next one. */
const MIN_DURATIONS = 4;
/** For how long a transaction waits for more items at most. */
const MAX_WAIT_MS = 100;
/** How long a transaction that others share waits for a lock. */
const LOCK_MS = 200;

/**
 * Processes the items of all workspaces in shared transactions (group commit). Items that arrive while a transaction runs go to
 * the next one, which starts when there are enough of them or after a short time. An item that arrives alone does not
 * wait. The workspaces alternate, and each has its own statements in its own scope; only the commit is shared. If a
 * transaction fails, or waits for a lock, each workspace and kind of work gets a transaction of its own, and then each item.
 */
export class GroupCommit {
  private readonly waiting = new Map<number, WaitingItems>();
  private size = 0;
  private running = 0;
  /** The duration of the last transactions, in milliseconds, of which the latest counts most. */
  private duration = 0;
  private startedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private isStarting = false;

  /** @param enough returns for how many items a transaction waits, if they arrive soon */
  constructor(private readonly enough: () => number) {}

  /** @returns the result of the item after its commit. @throws what its work throws, or DatabaseUnavailable */
  submit<In, Out>(scope: WorkspaceScope, work: GroupedWork<In, Out>, item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      const items = this.waiting.get(scope.workspace_id) ?? new WaitingItems(scope);
      this.waiting.set(scope.workspace_id, items);
      items.add(work, { item, resolve, reject });
      this.size += 1;
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isStarting || this.size === 0) return;
    if (this.running > 0 && (this.size < MAX_ITEMS || this.running === MAX_TRANSACTIONS)) return;
    const wait = this.size >= this.enough() ? 0 : this.startedAt + this.minIntervalMs - performance.now();
    if (wait > 0) this.timer ??= setTimeout(() => this.startSoon(), wait);
    else this.startSoon();
  }

  /** What the same callers submit in this turn of the event loop takes part. */
  private startSoon(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isStarting = true;
    setImmediate(() => {
      this.isStarting = false;
      void this.runNext();
    });
  }

  private get minIntervalMs(): number {
    return Math.min(MIN_DURATIONS * this.duration, MAX_WAIT_MS);
  }

  /** Never rejects: an error goes to the callers of its items. */
  private async runNext(): Promise<void> {
    this.running += 1;
    this.startedAt = performance.now();
    const parts = this.takeParts();
    const failed = await runTogether(parts);
    this.running -= 1;
    this.duration = 0.7 * this.duration + 0.3 * (performance.now() - this.startedAt);
    this.schedule();
    // The others do not wait for the parts that are repeated.
    await Promise.all(failed.map((part) => runAlone(part)));
  }

  /** Takes items of the workspaces that wait longest. A workspace with more than its share goes to the end of the line. */
  private takeParts(): Part[] {
    const chosen = [...this.waiting.values()].slice(0, MAX_WORKSPACES);
    const share = Math.ceil(MAX_ITEMS / chosen.length);
    return chosen.flatMap((items) => {
      this.waiting.delete(items.workspaceId);
      const parts = items.take(share);
      for (const { size } of parts) this.size -= size;
      if (items.size > 0) this.waiting.set(items.workspaceId, items);
      return parts;
    });
  }
}

/** Items of one workspace and one kind of work, which run in the same transaction. */
interface Part {
  readonly scope: WorkspaceScope;
  readonly order: number;
  readonly size: number;
  run(tx: WorkspaceScope): Promise<void>;
  /** After the commit. */
  resolve(): void;
  reject(error: unknown): void;
  /** A part for each item. */
  split(): Part[];
}

class ItemsOfWork<In, Out> implements Part {
  private results: readonly Out[] = [];

  constructor(
    readonly scope: WorkspaceScope,
    private readonly work: GroupedWork<In, Out>,
    private readonly items: PendingItem<In, Out>[],
  ) {}

  get order(): number {
    return this.work.order;
  }

  get size(): number {
    return this.items.length;
  }

  add(item: PendingItem<In, Out>): void {
    this.items.push(item);
  }

  take(count: number): ItemsOfWork<In, Out> {
    return new ItemsOfWork(this.scope, this.work, this.items.splice(0, count));
  }

  async run(tx: WorkspaceScope): Promise<void> {
    this.results = await this.work.run(
      tx,
      this.items.map(({ item }) => item),
      this.scope,
    );
  }

  resolve(): void {
    this.items.forEach(({ resolve }, index) => resolve(this.results[index] as Out));
  }

  reject(error: unknown): void {
    for (const { reject } of this.items) reject(error);
  }

  split(): Part[] {
    return this.items.map((item) => new ItemsOfWork(this.scope, this.work, [item]));
  }
}

/** The items of one workspace that wait. */
class WaitingItems {
  private readonly byWork = new Map<object, unknown>();

  constructor(private readonly scope: WorkspaceScope) {}

  get workspaceId(): number {
    return this.scope.workspace_id;
  }

  get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  add<In, Out>(work: GroupedWork<In, Out>, item: PendingItem<In, Out>): void {
    const known = this.byWork.get(work) as ItemsOfWork<In, Out> | undefined;
    if (known) known.add(item);
    else this.byWork.set(work, new ItemsOfWork(this.scope, work, [item]));
  }

  take(count: number): Part[] {
    let left = count;
    const taken: Part[] = [];
    for (const items of this.parts) {
      const part = items.take(left);
      left -= part.size;
      if (part.size > 0) taken.push(part);
    }
    return taken;
  }

  private get parts(): ItemsOfWork<unknown, unknown>[] {
    return [...this.byWork.values()] as ItemsOfWork<unknown, unknown>[];
  }
}

/** @returns the parts that have to run alone. The others are settled. */
async function runTogether(parts: readonly Part[]): Promise<readonly Part[]> {
  const [first, ...others] = parts.map(({ scope }) => scope);
  if (!first) return [];
  try {
    await WorkspaceScope.transactionOfAll([first, ...others], { lockMs: LOCK_MS }, async (scopeOf) => {
      for (const part of inOrder(parts)) await part.run(scopeOf(part.scope));
    });
    for (const part of parts) part.resolve();
    return [];
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || isLockTimeout(error)) return parts;
    for (const part of parts) part.reject(error);
    return [];
  }
}

/** Always the same order, so that two transactions with the same workspaces do not wait for each other. */
const inOrder = (parts: readonly Part[]): Part[] =>
  [...parts].sort((one, other) => one.order - other.order || one.scope.workspace_id - other.scope.workspace_id);

/** Runs a part in a transaction of its own, which waits for locks. If it fails, each of its items gets one. */
async function runAlone(part: Part): Promise<void> {
  try {
    await part.scope.transaction((tx) => part.run(tx));
    part.resolve();
  } catch (error) {
    if (part.size === 1 || error instanceof DatabaseUnavailable) part.reject(error);
    else for (const item of part.split()) await runAlone(item);
  }
}
