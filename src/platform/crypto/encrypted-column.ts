/** The values of columns that {@link EncryptedColumn} selects. */
export type EncryptedRow = Readonly<Record<string, string | number>>;

/**
 * Declares a column whose values a `Keyring` encrypts, so that `outreach keys rotate` encrypts them anew and `outreach
 * doctor` tries to decrypt some. Every file that encrypts what is stored declares its columns; `app/encrypted-columns.ts`
 * puts them together, and a test compares them with the database and with the code.
 */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  readonly primary_key: readonly [string, ...string[]];
  /** What the values are for people, e.g. "passwords of SMTP accounts". */
  readonly meaning: string;
  /** @returns the context of `Keyring.encrypt`, from the values of the primary key */
  readonly contextOf: (row: EncryptedRow) => string;
}
