/** A folder as the server lists it. */
export interface ListedFolder {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly flags: ReadonlySet<string>;
}

/** The paths of the folders that are used. */
export interface ImapFolders {
  /** Incoming mail. Its name is the same on every server (RFC 3501, 5.1). */
  readonly inbox: string;
  /** Incoming mail that the provider takes for spam. */
  readonly junk: string | undefined;
  /** Copies of the mail that was sent. */
  readonly sent: string | undefined;
}

/** Names that servers without special-use attributes give these folders. */
const JUNK_NAMES: readonly string[] = ['junk', 'spam', 'junk e-mail'];
const SENT_NAMES: readonly string[] = ['sent', 'sent items', 'sent mail'];

/** Finds the folders by their special-use attribute (RFC 6154), else by name. */
export function findFolders(listed: readonly ListedFolder[]): ImapFolders {
  const usable = listed.filter(({ flags }) => !hasFlag(flags, '\\noselect') && !hasFlag(flags, '\\nonexistent'));
  const find = (attribute: string, names: readonly string[]): string | undefined => {
    const folder =
      usable.find(({ flags }) => hasFlag(flags, attribute)) ??
      usable.find(({ name }) => names.includes(name.toLowerCase()));
    return folder?.path;
  };
  return { inbox: 'INBOX', junk: find('\\junk', JUNK_NAMES), sent: find('\\sent', SENT_NAMES) };
}

const hasFlag = (flags: ReadonlySet<string>, flag: string): boolean =>
  [...flags].some((listed) => listed.toLowerCase() === flag);
