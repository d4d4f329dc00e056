import { findFolders, type ListedFolder } from './imap-folders.js';

const folder = (path: string, ...flags: string[]): ListedFolder => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  flags: new Set(flags),
});

describe('findFolders', () => {
  it.each([
    ['Junk', 'Sent'],
    ['Spam', 'Sent Messages'],
    ['Junk-E-Mail', 'Gesendete Elemente'],
    ['Spamverdacht', 'Gesendet'],
    ['Courrier indésirable', 'Éléments envoyés'],
    ['Indésirables', 'Messages envoyés'],
    ['Indesirables', 'MESSAGES ENVOYES'],
    ['Correo no deseado', 'Elementos enviados'],
    ['Posta indesiderata', 'Posta inviata'],
    ['Ongewenste e-mail', 'Verzonden items'],
    ['Lixo eletrônico', 'Itens enviados'],
    ['INBOX/Spam', 'INBOX/Enviados'],
  ])('finds the folders %s and %s by name', (junk, sent) => {
    const decomposed = [junk, sent].map((name) => folder(name.normalize('NFD')));
    for (const folders of [[folder(junk), folder(sent)], decomposed])
      expect(findFolders([folder('INBOX'), folder('Archiv'), ...folders])).toEqual({
        inbox: 'INBOX',
        junk: folders[0]?.path,
        sent: folders[1]?.path,
      });
  });

  it('prefers a special-use attribute to a name, and ignores folders that cannot be opened', () => {
    const folders = [folder('Spam'), folder('Ham', '\\Junk'), folder('Sent', '\\Noselect'), folder('Gesendet')];
    expect(findFolders(folders)).toEqual({ inbox: 'INBOX', junk: 'Ham', sent: 'Gesendet' });
  });

  it.each(['Junk Science', 'Not Spam', 'Unsent', 'Projekte gesendet', 'Nicht gesendet', 'Drafts', ''])(
    'takes another folder for none of them: %s',
    (name) => {
      expect(findFolders([folder(name)])).toEqual({ inbox: 'INBOX', junk: undefined, sent: undefined });
    },
  );
});
