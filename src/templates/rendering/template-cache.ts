import { parseTemplate } from './template-parser.js';
import type { Template } from './template.js';

/** The most that a cache keeps: a number of templates, and the memory they take, in bytes. */
export interface TemplateCacheLimits {
  readonly templates: number;
  readonly bytes: number;
}

const DEFAULT_LIMITS: TemplateCacheLimits = { templates: 1_000, bytes: 32 * 1024 * 1024 };

/**
 * Parsed templates by source, so that a campaign parses a step once and not for each recipient. The least recently
 * used ones go first. Whoever changes a template has nothing to invalidate: a changed source is another key.
 */
export class TemplateCache {
  readonly #templates = new Map<string, Template>();
  #bytes = 0;

  constructor(private readonly limits: TemplateCacheLimits = DEFAULT_LIMITS) {}

  /** How many templates, and about how many bytes of memory, are held now. */
  get held(): TemplateCacheLimits {
    return { templates: this.#templates.size, bytes: this.#bytes };
  }

  /** As `parseTemplate`, which is asked only for a source that is not held. Throws TemplateSyntaxError. */
  parse(source: string): Template {
    const held = this.#templates.get(source);
    if (held === undefined) return this.#hold(source, parseTemplate(source));
    this.#templates.delete(source);
    this.#templates.set(source, held);
    return held;
  }

  // One that is too large for the whole cache must not empty it first.
  #hold(source: string, template: Template): Template {
    const bytes = footprint(source, template);
    if (bytes > this.limits.bytes) return template;
    this.#templates.set(source, template);
    this.#bytes += bytes;
    this.#shrink();
    return template;
  }

  #shrink(): void {
    for (const [source, template] of this.#templates) {
      if (this.#templates.size <= this.limits.templates && this.#bytes <= this.limits.bytes) return;
      this.#templates.delete(source);
      this.#bytes -= footprint(source, template);
    }
  }
}

// Two bytes a character at most; what a parsed piece takes was measured with `process.memoryUsage()`.
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_PIECE = 200;

function footprint(source: string, template: Template): number {
  return source.length * BYTES_PER_CHARACTER + template.pieces.length * BYTES_PER_PIECE;
}
