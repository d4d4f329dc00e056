import { type CacheCapacity, ParseCache } from './parse-cache.js';
import type { ParsedTemplate } from './parsed-template.js';
import { parseTemplate } from './template-parser.js';

const DEFAULT_CAPACITY: CacheCapacity = { entries: 1_000, bytes: 8 * 1024 * 1024, bytesPerOwner: 2 * 1024 * 1024 };

/**
 * Parsed templates by source: a subject is parsed once, not for each recipient. An edited template needs no invalidation, because
 * its source is another key.
 */
export class TemplateCache extends ParseCache<ParsedTemplate> {
  constructor(capacity: CacheCapacity = DEFAULT_CAPACITY) {
    super(capacity, parseTemplate, templateBytes);
  }
}

// V8 stores a character in at most two bytes; the size of a parsed token was measured with `process.memoryUsage()`.
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_TOKEN = 200;

/** About how many bytes of memory a source and its parsed template take. */
export function templateBytes(source: string, template: ParsedTemplate): number {
  return source.length * BYTES_PER_CHARACTER + template.tokens.length * BYTES_PER_TOKEN;
}
