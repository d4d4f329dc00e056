/** How many Message-IDs of a mail are used, and of each of its fields. */
const MAX_MESSAGE_IDS = 20;
/** How much of the value of another field is used. */
const MAX_VALUE_LENGTH = 1_000;

/** Lower-case names of fields → unfolded values, in their order. */
export type FieldValues = ReadonlyMap<string, readonly string[]>;

/** The fields of a header (RFC 5322, 2.2). */
export class HeaderFields {
  constructor(private readonly values: FieldValues) {}

  /**
   * Reads a header as it is in a mail.
   * @param used the names of the only fields that are kept, in lower case; all without it
   */
  static parse(text: string, used?: ReadonlySet<string>): HeaderFields {
    const values = new Map<string, string[]>();
    for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
      const colon = line.indexOf(':');
      // Lines without a name are ignored, such as the `From ` line of mbox files.
      if (colon <= 0) continue;
      const name = line.slice(0, colon).trim().toLowerCase();
      if (used && !used.has(name)) continue;
      const previous = values.get(name) ?? [];
      previous.push(line.slice(colon + 1).trim());
      values.set(name, previous);
    }
    return new HeaderFields(values);
  }

  /**
   * Returns some fields in a limited length: all Message-IDs that are used of the fields with IDs, and the beginning of
   * the first value of the others.
   */
  pick(fieldsWithIds: readonly string[], others: readonly string[]): FieldValues {
    const values = new Map<string, readonly string[]>();
    for (const name of fieldsWithIds)
      values.set(
        name,
        usedMessageIds(this.messageIds(name)).map((id) => `<${id}>`),
      );
    for (const name of others) if (this.has(name)) values.set(name, [this.get(name).slice(0, MAX_VALUE_LENGTH)]);
    return values;
  }

  /** Returns the value of the first field of this name, or an empty string. */
  get(name: string): string {
    return this.values.get(name)?.[0] ?? '';
  }

  /** Returns the values of all fields of this name. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Returns the Message-IDs in the fields of this name, without angle brackets. */
  messageIds(name: string): string[] {
    return (this.values.get(name) ?? []).flatMap((value) =>
      [...value.matchAll(MESSAGE_ID)].map(([, id]) => String(id)),
    );
  }
}

/** Returns the Message-IDs of a mail that are looked up, each once: of very many, the first ones and the last ones. */
export function usedMessageIds(messageIds: readonly string[]): readonly string[] {
  const ids = [...new Set(messageIds)];
  if (ids.length <= MAX_MESSAGE_IDS) return ids;
  return [...ids.slice(0, MAX_MESSAGE_IDS / 2), ...ids.slice(-MAX_MESSAGE_IDS / 2)];
}

const MESSAGE_ID = /<([^<>\s@]{1,500}@[^<>\s@]{1,255})>/g;

/** A report has one group for the message and one for each recipient. */
const MAX_GROUPS = 500;

/** Splits a text into at most 500 groups of fields, which are separated by blank lines (RFC 3464, 2.1). */
export const fieldGroups = (text: string): HeaderFields[] =>
  text
    .split(/(?:\r?\n[ \t]*){2,}/, MAX_GROUPS)
    .filter((group) => group.trim() !== '')
    .map((group) => HeaderFields.parse(group));
