import { Injectable } from '@nestjs/common';
import { EgressPolicy } from '@outreach/egress';
import { ImapLoginRefused, type ImapOptions, type ImapSession, openImapSession } from '@outreach/mail-sessions';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Mailbox } from './mailboxes.js';
import { AccessTokens } from './oauth/access-tokens.js';
import { CONFIGURED_SERVERS, openWithToken } from './oauth/open-with-token.js';
import { isConnected, type OauthMailbox } from './providers/provider.js';

type SessionTimeouts = Omit<ImapOptions, 'policy' | 'clientName'>;

const CLIENT = { clientName: 'outreach' };

const EMPTY_FOLDER = { uid_validity: 1, uid_next: 1, messages: 0 };

/** The mailbox of an account of a sandbox: what arrives there is put in by the simulated mail server. */
const EMPTY_MAILBOX: ImapSession = {
  isOpen: true,
  folders: () => Promise.resolve({ inbox: 'INBOX', junk: undefined, sent: undefined }),
  examine: () => Promise.resolve(EMPTY_FOLDER),
  search: () => Promise.resolve([]),
  headers: () => Promise.resolve([]),
  mentioning: () => Promise.resolve([]),
  start: () => Promise.resolve(undefined),
  examineSent: () => Promise.resolve(EMPTY_FOLDER),
  hasMessage: () => Promise.resolve(false),
  close: () => undefined,
};

/** Opens sessions of IMAP in the mailboxes of accounts. Call it outside of a transaction. */
@Injectable()
export class ImapSessions {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly policy: EgressPolicy,
  ) {}

  /**
   * Returns a session in which nothing can be changed; undefined if the mailbox is not read. An access token that is
   * refused is refreshed once. `timeoutMs` holds for everything.
   * @throws LoginRefused, ProviderUnavailable, ConsentRevoked
   */
  async open(
    scope: WorkspaceScope,
    mailbox: Mailbox,
    timeouts: SessionTimeouts = {},
  ): Promise<ImapSession | undefined> {
    if (mailbox.reads_mailbox && (await scope.isSandbox())) return EMPTY_MAILBOX;
    const { imap } = mailbox;
    if (imap) return openImapSession(imap, { ...CLIENT, ...timeouts, policy: this.policy });
    const { credentials } = mailbox;
    if (!isConnected(credentials)) return undefined;
    return this.openWithToken(scope, credentials, timeouts);
  }

  private openWithToken(
    scope: WorkspaceScope,
    { imap, username, account_id }: OauthMailbox,
    timeouts: SessionTimeouts,
  ): Promise<ImapSession> {
    const open = (access_token: string, timeoutMs: number | undefined): Promise<ImapSession> =>
      openImapSession(
        { ...imap, encryption: 'ssl', username, login: { type: 'oauth', access_token } },
        { ...CLIENT, ...timeouts, ...(timeoutMs === undefined ? {} : { timeoutMs }), policy: CONFIGURED_SERVERS },
      );
    const isRefusal = (error: unknown): boolean => error instanceof ImapLoginRefused;
    return openWithToken(this.accessTokens, { scope, account_id }, { open, isRefusal }, timeouts.timeoutMs);
  }
}
