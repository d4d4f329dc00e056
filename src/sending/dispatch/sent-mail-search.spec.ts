import { completes, drops, FaultyImapServer, type ImapReply } from '../../../test/support/faulty-imap-server.js';
import { serverAuthority } from '../../../test/support/raw-tls-server.js';
import { EgressPolicy } from '@outreach/egress';
import { type ImapSession, openImapSession } from '@outreach/mail-sessions';
import type { SentMessage } from './sent-mail-checks.queries.js';
import { type SearchResult, searchSentMail } from './sent-mail-search.js';

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
      'UID SEARCH': (...command) => replies.shift()?.(...command),
    });
    session = await openImapSession(
      {
        ...{ host: '127.0.0.1', port: server.port, encryption: 'ssl', username: 'anna' },
        login: { type: 'password', password: 'secret' },
      },
      { policy: new EgressPolicy(['127.0.0.0/8']), ca: serverAuthority },
    );
  }
  /** By default the provider stores what is sent. */
  const search = async (isTimeOver: () => boolean, accepted?: readonly SentMessage[]) => {
    const result: SearchResult = { found: [], missing: [], undecided: [] };
    const searching = searchSentMail(session, { messages, accepted }, result, isTimeOver);
    return { ...result, left: await searching.catch((error: Error) => error.name) };
  };
  const commands = (name: string) => server.commands.filter((command) => command.startsWith(name));

  it('opens the folder once for all messages', async () => {
    await open(FOUND, MISSING, FOUND);
    expect(await search(() => false)).toEqual({ found: [1, 3], missing: [2], undecided: [], left: [] });
    expect(commands('UID SEARCH')).toHaveLength(3);
    expect(commands('EXAMINE')).toHaveLength(1);
  });

  it('stops when the time is over, but not before the first message, and returns the others', async () => {
    await open(FOUND);
    expect(await search(() => true)).toEqual({ found: [1], missing: [], undecided: [], left: messages.slice(1) });
  });

  it('adds what it has found before the connection is lost to the result', async () => {
    await open(FOUND, MISSING, drops);
    expect(await search(() => false)).toEqual({ found: [1], missing: [2], undecided: [], left: 'ImapUnavailable' });
  });

  const early = { message_id: 'early@mail.example', is_late: false };
  const late = { message_id: 'late@mail.example', is_late: true };
  const older = { message_id: 'older@mail.example', is_late: true };
  const all = { missing: [1, 2, 3], undecided: [] };
  const none = { missing: [], undecided: [1, 2, 3] };
  it.each<[string, SentMessage[], ImapReply[], object]>([
    ['none was sent', [], [], none],
    ['the one that was sent is there', [late], [MISSING, FOUND], all],
    ['the one that was sent is not there', [late, older], [MISSING, MISSING], none],
    ['the one that was sent just now is there', [early], [MISSING, FOUND], all],
    [
      'the one that was sent just now is not there yet, but the one before is',
      [early, late],
      [MISSING, MISSING, FOUND],
      all,
    ],
    ['the one that was sent just now is not there, and nothing was before', [early], [MISSING, MISSING], none],
  ])('concludes from missing messages what the last message allows: %s', async (_case, accepted, replies, expected) => {
    await open(...replies, ...Array.from({ length: 4 }, () => MISSING));
    expect(await search(() => false, accepted)).toEqual({ found: [], left: [], ...expected });
  });

  it('knows that the mailbox stores what is sent when it has found a message', async () => {
    await open(FOUND, MISSING, MISSING);
    expect(await search(() => false, [])).toMatchObject({ found: [1], missing: [2, 3], undecided: [] });
  });
});
