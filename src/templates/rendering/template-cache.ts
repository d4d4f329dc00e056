import { BoundedCache, type CacheLimits } from './bounded-cache.js';
import { parseTemplate } from './template-parser.js';
import type { ParsedTemplate } from './parsed-template.js';

const DEFAULT_LIMITS: CacheLimits = { entries: 1_000, bytes: 32 * 1024 * 1024 };

/**
 * Parsed templates by source, so that a campaign parses a step once and not for each recipient. The least recently
 * used ones go first. Whoever changes a template has nothing to invalidate: a changed source is another key.
 */
export class TemplateCache {
  readonly #templates: BoundedCache<ParsedTemplate>;

  constructor(limits: CacheLimits = DEFAULT_LIMITS) {
    this.#templates = new BoundedCache(limits, templateFootprint);
  }

  /** How many templates, and about how many bytes of memory, are held now. */
  get usage(): CacheLimits {
    return this.#templates.usage;
  }

  /** As `parseTemplate`, which is asked only for a source that is not held. Throws TemplateSyntaxError. */
  parse(source: string): ParsedTemplate {
    return this.#templates.get(source, parseTemplate);
  }
}

// Two bytes a character at most; what a parsed piece takes was measured with `process.memoryUsage()`.
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_TOKEN = 200;

/** About how many bytes of memory a source and its parsed template take. */
export function templateFootprint(source: string, template: ParsedTemplate): number {
  return source.length * BYTES_PER_CHARACTER + template.tokens.length * BYTES_PER_TOKEN;
}
