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

/** The letters of a name: `Courrier indésirable` and `courrier_indesirable` have the same. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}]/gu, '');

const named = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(lettersOf));

/** Names that mail programs and servers without special-use attributes give these folders. */
const JUNK_NAMES = named([
  ...['Junk', 'Spam', 'Junk E-mail', 'Junk Mail', 'Bulk', 'Bulk Mail'],
  ...['Spamverdacht', 'Spam-Verdacht', 'Spamordner', 'Unerwünscht', 'Unerwünschte Werbung', 'Unerwünschte E-Mails'],
  ...['Courrier indésirable', 'Indésirables', 'Messages indésirables', 'Pourriel', 'Pourriels'],
  ...['Correo no deseado', 'No deseado', 'No deseados', 'Correo basura', 'Correo electrónico no deseado'],
  ...['Posta indesiderata', 'Indesiderata', 'Posta spazzatura'],
  ...['Ongewenste e-mail', 'Ongewenst', 'Ongewenste reclame', 'Ongewenste post'],
  ...['Lixo eletrônico', 'Lixo eletrónico', 'Lixo electrónico', 'Correio eletrónico não solicitado', 'Não solicitado'],
]);
const SENT_NAMES = named([
  ...['Sent', 'Sent Items', 'Sent Mail', 'Sent Messages', 'Sent E-mail', 'Sent Objects'],
  ...['Gesendet', 'Gesendete Elemente', 'Gesendete Objekte', 'Gesendete Nachrichten', 'Gesendete E-Mails', 'Versendet'],
  ...['Éléments envoyés', 'Messages envoyés', 'Envoyés', 'Courrier envoyé', 'Courriers envoyés', 'Objets envoyés'],
  ...['Mails envoyés', 'Elementos enviados', 'Enviados', 'Mensajes enviados', 'Correo enviado'],
  ...['Posta inviata', 'Inviata', 'Inviati', 'Elementi inviati', 'Messaggi inviati', 'Email inviate'],
  ...['Verzonden items', 'Verzonden', 'Verzonden berichten', 'Verzonden e-mail', 'Verstuurd', 'Verzonden objecten'],
  ...['Itens enviados', 'Enviadas', 'Enviada', 'Mensagens enviadas', 'E-mails enviados', 'Correio enviado'],
]);

/** Finds the folders by their special-use attribute (RFC 6154), else by name. */
export function findFolders(listed: readonly ListedFolder[]): ImapFolders {
  const usable = listed.filter(({ flags }) => !hasFlag(flags, '\\noselect') && !hasFlag(flags, '\\nonexistent'));
  const find = (attribute: string, names: ReadonlySet<string>): string | undefined => {
    const folder =
      usable.find(({ flags }) => hasFlag(flags, attribute)) ?? usable.find(({ name }) => names.has(lettersOf(name)));
    return folder?.path;
  };
  return { inbox: 'INBOX', junk: find('\\junk', JUNK_NAMES), sent: find('\\sent', SENT_NAMES) };
}

const hasFlag = (flags: ReadonlySet<string>, flag: string): boolean =>
  [...flags].some((listed) => listed.toLowerCase() === flag);
