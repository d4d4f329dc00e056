import {
  type JsonErrors,
  MAX_OBJECT_KEYS,
  MAX_LEVELS,
  MAX_VALUES,
  NOT_AN_OBJECT,
  tooDeep,
  tooManyKeys,
  tooManyValues,
} from './json-limits.js';

/** A shorter text has so few values that it is parsed at once; {@link clean} counts them. */
const MAX_UNCHECKED_BYTES = 16_384;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACKET, CLOSING_BRACKET, BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/** An object or array that has begun and not ended. */
interface Level {
  readonly isArray: boolean;
  /** The number of its values until now. */
  values: number;
  /** Of an object: where the last key begins and ends in the bytes, quotes included. */
  keyStart: number;
  keyEnd: number;
}

/**
 * Counts the levels, keys and values of a JSON text before it is parsed, because parsing 500,000 arrays occupies the
 * process for a fifth of a second. A text that is not JSON may have errors or not.
 * @param bytes UTF-8
 * @returns the error of the first object or array beyond a limit, with the path and text of {@link clean}
 */
export function structureErrors(bytes: Uint8Array, maxValues = MAX_VALUES): JsonErrors | undefined {
  return bytes.length > MAX_UNCHECKED_BYTES ? new StructureScan(bytes, maxValues).errors() : undefined;
}

class StructureScan {
  private readonly levels: Level[] = [];
  private values = 0;
  private stringStart = 0;
  private stringEnd = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxValues: number,
  ) {}

  errors(): JsonErrors | undefined {
    const { bytes } = this;
    let found: JsonErrors | undefined;
    for (let at = 0; at < bytes.length && !found; at += 1) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.skipString(at);
          break;
        case BRACKET:
        case BRACE:
          found = this.open(at);
          break;
        case CLOSING_BRACKET:
        case CLOSING_BRACE:
          this.levels.pop();
          break;
        case COMMA:
        case COLON:
          found = this.separate(bytes[at] === COMMA);
          break;
        default:
      }
    }
    return found && this.levels[0]?.isArray ? NOT_AN_OBJECT : found;
  }

  /** Returns the position of the closing quote. */
  private skipString(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.stringStart = start;
    this.stringEnd = at + 1;
    return at;
  }

  private open(at: number): JsonErrors | undefined {
    if (this.levels.length === MAX_LEVELS) return tooDeep(this.path(MAX_LEVELS));
    const isArray = this.bytes[at] === BRACKET;
    const level = { isArray, values: 0, keyStart: 0, keyEnd: 0 };
    this.levels.push(level);
    return isArray && !this.isEmptyArray(at) ? this.count(level) : undefined;
  }

  private isEmptyArray(start: number): boolean {
    let at = start + 1;
    while ((this.bytes[at] ?? QUOTE) <= SPACE) at += 1;
    return this.bytes[at] === CLOSING_BRACKET;
  }

  /** A comma in an array and a colon in an object come before a value. */
  private separate(isComma: boolean): JsonErrors | undefined {
    const level = this.levels.at(-1);
    if (level?.isArray !== isComma) return undefined;
    if (!isComma) {
      level.keyStart = this.stringStart;
      level.keyEnd = this.stringEnd;
    }
    return this.count(level);
  }

  private count(level: Level): JsonErrors | undefined {
    level.values += 1;
    this.values += 1;
    if (!level.isArray && level.values > MAX_OBJECT_KEYS) return tooManyKeys(this.path(this.levels.length - 1));
    return this.values > this.maxValues ? tooManyValues(this.path(this.levels.length - 1)) : undefined;
  }

  private path(length: number): string {
    return this.levels
      .slice(0, length)
      .map((level) => (level.isArray ? String(level.values - 1) : this.keyOf(level)))
      .join('.');
  }

  private keyOf({ keyStart, keyEnd }: Level): string {
    const text = new TextDecoder().decode(this.bytes.subarray(keyStart, keyEnd));
    try {
      return String(JSON.parse(text));
    } catch {
      return text;
    }
  }
}
