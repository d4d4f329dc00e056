/** How transactions run in the scopes of callers, such as their connections. */
export interface TransactionRunner<Scope> {
  /** Returns what the items of a scope are grouped by. */
  readonly keyOf: (scope: Scope) => number;
  /** Runs work in one transaction of one scope. */
  readonly runIn: (scope: Scope, work: (tx: Scope) => Promise<void>) => Promise<void>;
  /**
   * Runs work in one transaction of several scopes, of which each has its own statements.
   * @param lockMs how long it waits for a lock
   * @param work gets a function that returns a scope in the transaction
   */
  readonly runInAll: (
    scopes: readonly [Scope, ...Scope[]],
    lockMs: number,
    work: (inTransaction: (scope: Scope) => Scope) => Promise<void>,
  ) => Promise<void>;
  /** Whether an error says that the database is not available, so that another transaction would fail, too. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Whether an unavailable database may be available to other keys: a lock was not free in time, or a node is away. */
  readonly isOfOneKey: (error: unknown) => boolean;
}

/** What many callers want to be done to one record each, in few transactions. */
export interface SharedWork<Scope, In, Out> {
  /** In a transaction, work with a lower number runs first. */
  readonly order: number;
  /**
   * Processes items of one key. It may run again with a part of them, so it has no effect outside the database.
   * @param scope that of the key without the transaction, for callbacks after the commit
   * @returns the results of the items, in their order
   */
  run(tx: Scope, items: readonly In[], scope: Scope): Promise<readonly Out[]>;
}

interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** How many keys share a transaction: their statements run one after the other. */
const MAX_KEYS = 8;
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
 * Processes the items of all keys in shared transactions (group commit). Items that arrive while a transaction runs go to
 * the next one, which starts when there are enough of them or after a short time. An item that arrives alone does not
 * wait. The keys alternate, and each has its own statements in its own scope; only the commit is shared. If a
 * transaction fails, or waits for a lock, each key and kind of work gets a transaction of its own, and then each item.
 */
export class SharedTransactions<Scope> {
  private readonly waiting = new Map<number, WaitingItems<Scope>>();
  private size = 0;
  private running = 0;
  /** The duration of the last transactions, in milliseconds, of which the latest counts most. */
  private duration = 0;
  private startedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private isStarting = false;

  /** @param enough returns for how many items a transaction waits, if they arrive soon */
  constructor(
    private readonly runner: TransactionRunner<Scope>,
    private readonly enough: () => number,
  ) {}

  /** @returns the result of the item after its commit. @throws what its work or the database throws */
  submit<In, Out>(scope: Scope, work: SharedWork<Scope, In, Out>, item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      const key = this.runner.keyOf(scope);
      const items = this.waiting.get(key) ?? new WaitingItems(key, scope);
      this.waiting.set(key, items);
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
    const failed = await runTogether(this.runner, parts);
    this.running -= 1;
    this.duration = 0.7 * this.duration + 0.3 * (performance.now() - this.startedAt);
    this.schedule();
    // The others do not wait for the parts that are repeated.
    await Promise.all(failed.map((part) => runAlone(this.runner, part)));
  }

  /** Takes items of the keys that wait longest. A key with more than its share goes to the end of the line. */
  private takeParts(): Part<Scope>[] {
    const chosen = [...this.waiting.values()].slice(0, MAX_KEYS);
    const share = Math.ceil(MAX_ITEMS / chosen.length);
    return chosen.flatMap((items) => {
      this.waiting.delete(items.key);
      const parts = items.take(share);
      for (const { size } of parts) this.size -= size;
      if (items.size > 0) this.waiting.set(items.key, items);
      return parts;
    });
  }
}

/** Items of one key and one kind of work, which run in the same transaction. */
interface Part<Scope> {
  readonly key: number;
  readonly scope: Scope;
  readonly order: number;
  readonly size: number;
  run(tx: Scope): Promise<void>;
  /** After the commit. */
  resolve(): void;
  reject(error: unknown): void;
  /** A part for each item. */
  split(): Part<Scope>[];
}

class ItemsOfWork<Scope, In, Out> implements Part<Scope> {
  private results: readonly Out[] = [];

  constructor(
    readonly key: number,
    readonly scope: Scope,
    private readonly work: SharedWork<Scope, In, Out>,
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

  take(count: number): ItemsOfWork<Scope, In, Out> {
    return new ItemsOfWork(this.key, this.scope, this.work, this.items.splice(0, count));
  }

  async run(tx: Scope): Promise<void> {
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

  split(): Part<Scope>[] {
    return this.items.map((item) => new ItemsOfWork(this.key, this.scope, this.work, [item]));
  }
}

/** The items of one key that wait. */
class WaitingItems<Scope> {
  private readonly byWork = new Map<object, unknown>();

  constructor(
    readonly key: number,
    private readonly scope: Scope,
  ) {}

  get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  add<In, Out>(work: SharedWork<Scope, In, Out>, item: PendingItem<In, Out>): void {
    const known = this.byWork.get(work) as ItemsOfWork<Scope, In, Out> | undefined;
    if (known) known.add(item);
    else this.byWork.set(work, new ItemsOfWork(this.key, this.scope, work, [item]));
  }

  take(count: number): Part<Scope>[] {
    let left = count;
    const taken: Part<Scope>[] = [];
    for (const items of this.parts) {
      const part = items.take(left);
      left -= part.size;
      if (part.size > 0) taken.push(part);
    }
    return taken;
  }

  private get parts(): ItemsOfWork<Scope, unknown, unknown>[] {
    return [...this.byWork.values()] as ItemsOfWork<Scope, unknown, unknown>[];
  }
}

/** @returns the parts that have to run alone. The others are settled. */
async function runTogether<Scope>(
  runner: TransactionRunner<Scope>,
  parts: readonly Part<Scope>[],
): Promise<readonly Part<Scope>[]> {
  const [first, ...others] = parts.map(({ scope }) => scope);
  if (first === undefined) return [];
  try {
    await runner.runInAll([first, ...others], LOCK_MS, async (inTransaction) => {
      for (const part of inOrder(parts)) await part.run(inTransaction(part.scope));
    });
    for (const part of parts) part.resolve();
    return [];
  } catch (error) {
    if (!runner.isUnavailable(error) || runner.isOfOneKey(error)) return parts;
    for (const part of parts) part.reject(error);
    return [];
  }
}

/** Always the same order, so that two transactions with the same keys do not wait for each other. */
const inOrder = <Scope>(parts: readonly Part<Scope>[]): Part<Scope>[] =>
  [...parts].sort((one, other) => one.order - other.order || one.key - other.key);

/** Runs a part in a transaction of its own, which waits for locks. If it fails, each of its items gets one. */
async function runAlone<Scope>(runner: TransactionRunner<Scope>, part: Part<Scope>): Promise<void> {
  try {
    await runner.runIn(part.scope, (tx) => part.run(tx));
    part.resolve();
  } catch (error) {
    if (part.size === 1 || runner.isUnavailable(error)) part.reject(error);
    else for (const item of part.split()) await runAlone(runner, item);
  }
}
