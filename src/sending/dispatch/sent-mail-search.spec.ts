import { completes, drops, FaultyImapServer, type ImapReply } from '../../../test/support/faulty-imap-server.js';
import { serverAuthority } from '../../../test/support/raw-tls-server.js';
import { type ImapSession, openImapSession } from '../../email-accounts/index.js';
import { EgressPolicy } from '../../platform/egress/index.js';
import { searchSentMail } from './sent-mail-search.js';

const messages = [1, 2, 3].map((id) => ({ id, message_id: `m${id}@mail.example`, is_late: true }));
const FOUND = completes('* SEARCH 1');
const MISSING = completes('* SEARCH');

describe('searchSentMail', () => {
  let server: FaultyImapServer;
  let session: ImapSession;
  afterEach(async () => {
    session.close();
    await server.stop();
  });

  /** @param replies to one search after the other */
  async function open(...replies: ImapReply[]): Promise<void> {
    server = await FaultyImapServer.start({
      LIST: completes('* LIST (\\Sent) "/" Sent'),
      'UID SEARCH': (socket, tag) => replies.shift()?.(socket, tag),
    });
    session = await openImapSession(
      {
        ...{ host: '127.0.0.1', port: server.port, encryption: 'ssl', username: 'anna' },
        login: { type: 'password', password: 'secret' },
      },
      { policy: new EgressPolicy(['127.0.0.0/8']), ca: serverAuthority },
    );
  }
  const search = async (isTimeOver: () => boolean) => {
    const result = { found: [], missing: [] };
    const left = await searchSentMail(session, messages, result, isTimeOver).catch((error: Error) => error.name);
    return { ...result, left };
  };
  const commands = (name: string) => server.commands.filter((command) => command.startsWith(name));

  it('opens the folder once for all messages', async () => {
    await open(FOUND, MISSING, FOUND);
    expect(await search(() => false)).toEqual({ found: [1, 3], missing: [2], left: [] });
    expect(commands('UID SEARCH')).toHaveLength(3);
    expect(commands('EXAMINE')).toHaveLength(1);
  });

  it('stops when the time is over, but not before the first message, and returns the others', async () => {
    await open(FOUND);
    expect(await search(() => true)).toEqual({ found: [1], missing: [], left: messages.slice(1) });
  });

  it('adds what it has found before the connection is lost to the result', async () => {
    await open(FOUND, MISSING, drops);
    expect(await search(() => false)).toEqual({ found: [1], missing: [2], left: 'ImapUnavailable' });
  });
});
