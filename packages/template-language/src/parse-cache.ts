import { LRUCache } from 'lru-cache';

/** The content of a cache: the number of entries, and the memory they take, in bytes. */
export interface CacheSize {
  readonly entries: number;
  readonly bytes: number;
}

/** The capacity of a cache. */
export interface CacheCapacity extends CacheSize {
  /** The memory that the entries of one owner take at most; by default all of it. */
  readonly bytesPerOwner?: number;
}

// What the cache itself stores for each entry; lru-cache takes no entry of size 0.
const BYTES_PER_ENTRY = 100;

/**
 * Parsed sources, by source. Each owner has a share of the memory: its least recently used entries
 * are removed first. If the whole capacity is exceeded, those of the owner that has not used the cache for longest are.
 */
export class ParseCache<Value extends object> {
  /** The entries of each owner; the owner that used the cache last is the last one. */
  readonly #owners = new Map<number, LRUCache<string, Value>>();
  readonly #size = { entries: 0, bytes: 0 };
  /** The most recently used entry. */
  #last: { readonly source: string; readonly value: Value } | undefined;

  /**
   * @param read makes the value of a source; what it throws is passed on and not stored
   * @param bytesOf about how much memory a source and its value take; an entry that exceeds the share of an owner is not
   * stored
   */
  constructor(
    private readonly capacity: CacheCapacity,
    private readonly read: (source: string) => Value,
    private readonly bytesOf: (source: string, value: Value) => number,
  ) {}

  /** How many entries are stored, and about how many bytes they take. */
  get size(): CacheSize {
    return { ...this.#size };
  }

  /** Returns the stored value of a source, or undefined. */
  find(source: string, owner = 0): Value | undefined {
    // The messages of a step follow one another, each with its source as a new string object. To compare 5 kB takes
    // 1 µs, to look it up takes 15 µs, because V8 hashes each new string, which is longer than parsing takes.
    if (this.#last?.source === source) return this.#last.value;
    const value = this.#owners.has(owner) ? this.#entriesOf(owner).get(source) : undefined;
    if (value) this.#last = { source, value };
    return value;
  }

  /**
   * Returns the stored value of a source, or makes and stores it for its owner.
   * @param read makes the value of this source; by default as the cache does
   */
  parse(source: string, owner = 0, read = this.read): Value {
    const stored = this.find(source, owner);
    if (stored) return stored;
    const entries = this.#entriesOf(owner);
    const value = read(source);
    this.#change(entries, () => entries.set(source, value));
    this.#last = entries.has(source) ? { source, value } : undefined;
    this.#removeExcess();
    return value;
  }

  #entriesOf(owner: number): LRUCache<string, Value> {
    const entries = this.#owners.get(owner) ?? this.#emptyEntries();
    this.#owners.delete(owner);
    this.#owners.set(owner, entries);
    return entries;
  }

  #emptyEntries(): LRUCache<string, Value> {
    return new LRUCache({
      maxSize: this.capacity.bytesPerOwner ?? this.capacity.bytes,
      sizeCalculation: (value, source) => BYTES_PER_ENTRY + this.bytesOf(source, value),
    });
  }

  /** Changes the entries of an owner, and counts the change. */
  #change<Result>(entries: LRUCache<string, Value>, change: () => Result): Result {
    const [count, bytes] = [entries.size, entries.calculatedSize];
    const result = change();
    this.#size.entries += entries.size - count;
    this.#size.bytes += entries.calculatedSize - bytes;
    return result;
  }

  #removeExcess(): void {
    for (const [owner, entries] of this.#owners) {
      while (this.#isFull() && entries.size > 0) this.#change(entries, () => entries.pop());
      if (entries.size === 0) this.#owners.delete(owner);
      if (!this.#isFull()) return;
    }
  }

  #isFull(): boolean {
    return this.#size.entries > this.capacity.entries || this.#size.bytes > this.capacity.bytes;
  }
}
