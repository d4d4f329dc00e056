import { Body } from './body.js';
import { BoundedCache, type CacheLimits } from './bounded-cache.js';
import { templateFootprint } from './template-cache.js';

const DEFAULT_LIMITS: CacheLimits = { entries: 500, bytes: 32 * 1024 * 1024 };

/** Bodies by source, so that a campaign parses and converts the body of a step once and not for each recipient. */
export class BodyCache {
  readonly #bodies: BoundedCache<Body>;

  /** @param complete what is made of a source before it is parsed, e.g. a footer is added */
  constructor(
    private readonly complete: (source: string) => string = (source) => source,
    limits: CacheLimits = DEFAULT_LIMITS,
  ) {
    this.#bodies = new BoundedCache(limits, footprint);
  }

  /** How many bodies, and about how many bytes of memory, are held now. */
  get usage(): CacheLimits {
    return this.#bodies.usage;
  }

  /** As `Body.parse` of the completed source. Throws TemplateSyntaxError. */
  parse(source: string): Body {
    return this.#bodies.get(source, () => Body.parse(this.complete(source)));
  }
}

// The source is held as the key and, completed, in pieces, with its links and without; a text is about as long.
const footprint = (source: string, { html, text }: Body): number =>
  3 * templateFootprint(source, html) + templateFootprint(source, text);
