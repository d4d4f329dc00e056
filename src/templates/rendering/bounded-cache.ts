/** The most that a cache keeps: a number of entries, and the memory they take, in bytes. */
export interface CacheLimits {
  readonly entries: number;
  readonly bytes: number;
}

/**
 * What was made of texts, by text, within bounds of number and memory. The least recently used entries go first.
 * @param footprint about how many bytes an entry takes, key and all; the same whenever it is asked
 */
export class BoundedCache<Value extends object> {
  readonly #values = new Map<string, Value>();
  #latest: { readonly key: string; readonly value: Value } | undefined;
  #bytes = 0;

  constructor(
    private readonly limits: CacheLimits,
    private readonly footprint: (key: string, value: Value) => number,
  ) {}

  /** How many entries, and about how many bytes of memory, are held now. */
  get usage(): CacheLimits {
    return { entries: this.#values.size, bytes: this.#bytes };
  }

  /** The value of a key; `make` is asked only for one that is not held. What `make` throws is not held. */
  get(key: string, make: (key: string) => Value): Value {
    // Texts are asked for many times in a row, each time as a new object: comparing it takes a tenth of hashing it.
    if (this.#latest?.key === key) return this.#latest.value;
    const value = this.#find(key) ?? this.#hold(key, make(key));
    this.#latest = this.#values.has(key) ? { key, value } : undefined;
    return value;
  }

  #find(key: string): Value | undefined {
    const usage = this.#values.get(key);
    if (usage === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, usage);
    return usage;
  }

  // One that is too large for the whole cache must not empty it first.
  #hold(key: string, value: Value): Value {
    const bytes = this.footprint(key, value);
    if (bytes > this.limits.bytes) return value;
    this.#values.set(key, value);
    this.#bytes += bytes;
    this.#shrink();
    return value;
  }

  #shrink(): void {
    for (const [key, value] of this.#values) {
      if (this.#values.size <= this.limits.entries && this.#bytes <= this.limits.bytes) return;
      this.#values.delete(key);
      this.#bytes -= this.footprint(key, value);
    }
  }
}
