import { TemplateBody } from './template-body.js';
import { type CacheCapacity, ParseCache } from './parse-cache.js';
import { templateBytes } from './template-cache.js';

const DEFAULT_CAPACITY: CacheCapacity = { entries: 500, bytes: 64 * 1024 * 1024, bytesPerOwner: 16 * 1024 * 1024 };

/**
 * Parsed bodies by source: a campaign parses the body of a step and converts it to text once, not for each recipient.
 */
export class BodyCache extends ParseCache<TemplateBody> {
  /** @param complete changes the source before it is parsed, for example adds a footer */
  constructor(complete: (source: string) => string = (source) => source, capacity: CacheCapacity = DEFAULT_CAPACITY) {
    super(capacity, (source) => TemplateBody.parse(source, complete), bodyBytes);
  }
}

// A body stores its source three times (the key, the HTML and the HTML split at its links), and a text of about the
// same length.
const bodyBytes = (source: string, { html, text }: TemplateBody): number =>
  3 * templateBytes(source, html) + templateBytes(source, text);
