/** The fields of a header (RFC 5322, 2.2): lower-case names → unfolded values, in their order. */
export class HeaderFields {
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(text: string) {
    const values = new Map<string, string[]>();
    for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
      const colon = line.indexOf(':');
      // Lines without a name are ignored, such as the `From ` line of mbox files.
      if (colon <= 0) continue;
      const name = line.slice(0, colon).trim().toLowerCase();
      const previous = values.get(name) ?? [];
      previous.push(line.slice(colon + 1).trim());
      values.set(name, previous);
    }
    this.values = values;
  }

  /** Returns the value of the first field of this name, or an empty string. */
  get(name: string): string {
    return this.values.get(name)?.[0] ?? '';
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

const MESSAGE_ID = /<([^<>\s@]{1,500}@[^<>\s@]{1,255})>/g;

/** A report has one group for the message and one for each recipient. Our messages have one recipient. */
const MAX_GROUPS = 500;

/** Splits a text into at most 500 groups of fields, which are separated by blank lines (RFC 3464, 2.1). */
export const fieldGroups = (text: string): HeaderFields[] =>
  text
    .split(/(?:\r?\n[ \t]*){2,}/, MAX_GROUPS)
    .filter((group) => group.trim() !== '')
    .map((group) => new HeaderFields(group));
