import { completes, type ImapBehaviour, type ImapReply } from './faulty-imap-server.js';

/** Which commands are not answered as those of a healthy server, e.g. by the numbers of their messages. */
export type BadMails = Readonly<Record<number, ImapReply>>;

const uidsOf = (set: string): number[] =>
  set.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split(':').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

const fetched = (uid: number, raw: string, command: string): string => {
  const isHeader = command.includes('HEADER');
  const content = isHeader ? raw.slice(0, raw.indexOf('\r\n\r\n') + 4) : raw;
  const part = isHeader ? 'BODY[HEADER]<0>' : 'BODY[]<0>';
  return `* ${uid} FETCH (UID ${uid} ${part} {${content.length}}\r\n${content})`;
};

/**
 * A server with one folder.
 * @param mails the first has the UID 1
 * @param bad replies to each command that fetches one of these mails, alone or with others
 * @param isBad limits that to some commands
 */
export function imapMailbox(
  mails: readonly string[],
  bad: BadMails = {},
  isBad: (command: string) => boolean = () => true,
): ImapBehaviour {
  const all = mails.map((raw, index) => ({ uid: index + 1, raw }));
  return {
    EXAMINE: completes(
      `* ${mails.length} EXISTS`,
      '* OK [UIDVALIDITY 1] valid',
      `* OK [UIDNEXT ${mails.length + 1}] next`,
    ),
    'UID SEARCH': (socket, tag, command) => {
      const [, from = 1, to = mails.length] = (
        /UID (\d+)(?::(\d+))?/.exec(command.slice('UID SEARCH'.length)) ?? []
      ).map(Number);
      const found = all.filter(({ uid }) => uid >= from && uid <= to && !command.includes('BODY'));
      completes(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`)(socket, tag, command);
    },
    'UID FETCH': (socket, tag, command) => {
      const uids = uidsOf(/^UID FETCH (\S+)/i.exec(command)?.[1] ?? '');
      const reply = uids.map((uid) => bad[uid]).find((each) => each !== undefined);
      if (reply && isBad(command)) return reply(socket, tag, command);
      const given = all.filter(({ uid }) => uids.includes(uid));
      completes(...given.map(({ uid, raw }) => fetched(uid, raw, command)))(socket, tag, command);
    },
  };
}
