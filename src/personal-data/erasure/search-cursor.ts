import type { WrittenByOthers } from '../../webhooks/index.js';

/** Where the search of an erasure goes on. It has IDs only. */
export interface SearchCursor {
  /** The position of the source among all that are searched. */
  readonly source: number;
  /** The last range of the source that was searched; null for its beginning. */
  readonly after: unknown;
  /** What was found before that others have written about the person. */
  readonly written: readonly WrittenByOthers[];
}
