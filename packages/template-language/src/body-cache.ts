import { LRUCache } from 'lru-cache';
import { TaskTerminated, ThreadPool } from '@outreach/concurrency';
import type { BodyConversion, BodySource, Footer } from './convert-body.js';
import { type CacheCapacity, ParseCache } from './parse-cache.js';
import { TemplateBody } from './template-body.js';
import { templateBytes } from './template-cache.js';
import { parseTemplate } from './template-parser.js';
import { TemplateTooComplex } from './template-too-complex.js';

const DEFAULT_CAPACITY: CacheCapacity = { entries: 500, bytes: 64 * 1024 * 1024, bytesPerOwner: 16 * 1024 * 1024 };

/** A thread converts longer bodies: the first conversion of 16 KB takes up to 100 ms in a new process. */
const MAX_INLINE_LENGTH = 4 * 1024;

const TIMEOUT_SECONDS = 20;
/** How many bodies are remembered that could not be converted, so that not each of their messages tries it again. */
const MAX_FAILURES = 50;

/** Shared by all caches. A conversion that needs the whole timeout leaves a thread to the other owners. */
const conversions = new ThreadPool<BodySource, BodyConversion>(new URL('./convert-body.worker.js', import.meta.url), {
  concurrency: 2,
  perKey: 1,
  timeoutMs: TIMEOUT_SECONDS * 1_000,
});

/**
 * Parsed bodies by source: a body is parsed and converted to text once, not for each recipient.
 */
export class BodyCache extends ParseCache<TemplateBody> {
  /** The conversions in progress, by owner and source. */
  readonly #pending = new Map<string, Promise<TemplateBody>>();
  readonly #failures = new LRUCache<string, true>({ max: MAX_FAILURES });

  /** @param footer added to each source */
  constructor(
    private readonly footer?: Footer,
    capacity: CacheCapacity = DEFAULT_CAPACITY,
  ) {
    super(capacity, (source) => TemplateBody.parse(source, footer), bodyBytes);
  }

  /**
   * Returns a body without occupying the event loop: a long source that is not stored is converted in a worker thread,
   * once for all callers that wait for it.
   * @throws TemplateSyntaxError, TemplateTooLarge, TemplateTooComplex
   */
  async load(source: string, owner = 0): Promise<TemplateBody> {
    const stored = this.find(source, owner);
    if (stored) return stored;
    if (source.length <= MAX_INLINE_LENGTH) return this.parse(source, owner);
    const key = `${owner} ${source}`;
    const pending = this.#pending.get(key) ?? this.#convert(source, owner).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  async #convert(source: string, owner: number): Promise<TemplateBody> {
    parseTemplate(source);
    if (this.#failures.has(source)) throw new TemplateTooComplex(TIMEOUT_SECONDS);
    const conversion = await this.#convertInThread({ source, footer: this.footer }, owner);
    return this.parse(source, owner, () => TemplateBody.of(conversion));
  }

  /** Tries it twice, because a process that was suspended reaches the timeout, too. */
  async #convertInThread(body: BodySource, owner: number): Promise<BodyConversion> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      try {
        return await conversions.run(owner, body);
      } catch (error) {
        if (!(error instanceof TaskTerminated)) throw error;
      }
    }
    this.#failures.set(body.source, true);
    throw new TemplateTooComplex(TIMEOUT_SECONDS);
  }
}

// A body stores its source three times (the key, the HTML and the HTML split at its links), and a text of about the
// same length.
const bodyBytes = (source: string, { html, text }: TemplateBody): number =>
  3 * templateBytes(source, html) + templateBytes(source, text);
