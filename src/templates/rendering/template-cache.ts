import { BoundedCache, type CacheLimits } from './bounded-cache.js';
import { parseTemplate } from './template-parser.js';
import type { Template } from './template.js';

const DEFAULT_LIMITS: CacheLimits = { entries: 1_000, bytes: 32 * 1024 * 1024 };

/**
 * Parsed templates by source, so that a campaign parses a step once and not for each recipient. The least recently
 * used ones go first. Whoever changes a template has nothing to invalidate: a changed source is another key.
 */
export class TemplateCache {
  readonly #templates: BoundedCache<Template>;

  constructor(limits: CacheLimits = DEFAULT_LIMITS) {
    this.#templates = new BoundedCache(limits, templateFootprint);
  }

  /** How many templates, and about how many bytes of memory, are held now. */
  get held(): CacheLimits {
    return this.#templates.held;
  }

  /** As `parseTemplate`, which is asked only for a source that is not held. Throws TemplateSyntaxError. */
  parse(source: string): Template {
    return this.#templates.get(source, parseTemplate);
  }
}

// Two bytes a character at most; what a parsed piece takes was measured with `process.memoryUsage()`.
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_PIECE = 200;

/** About how many bytes of memory a source and its parsed template take. */
export function templateFootprint(source: string, template: Template): number {
  return source.length * BYTES_PER_CHARACTER + template.pieces.length * BYTES_PER_PIECE;
}
