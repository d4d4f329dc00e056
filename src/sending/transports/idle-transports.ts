import { createHash } from 'node:crypto';
import type { MailboxCredentials } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Transport } from './transport.js';

const IDLE_MS = 10_000;

/** The workspace that uses them. */
type IdleScope = Pick<WorkspaceScope, 'workspace_id'>;

interface Entry {
  readonly transport: Transport;
  readonly timer: NodeJS.Timeout;
}

/** Open transports that are not in use. They are closed after ten seconds. */
export class IdleTransports {
  private readonly entries = new Map<string, Entry[]>();

  /** For how many credentials there are any. */
  get size(): number {
    return this.entries.size;
  }

  /** Removes and returns an open transport with these credentials, of this workspace; undefined if there is none. */
  take(scope: IdleScope, credentials: MailboxCredentials): Transport | undefined {
    const key = idleKeyOf(scope, credentials);
    const idle = this.entries.get(key) ?? [];
    this.entries.delete(key);
    const found = idle.findLast(({ transport }) => transport.isOpen);
    const others = idle.filter((entry) => entry !== found && entry.transport.isOpen);
    for (const entry of idle) if (!others.includes(entry)) clearTimeout(entry.timer);
    if (others.length > 0) this.entries.set(key, others);
    return found?.transport;
  }

  add(scope: IdleScope, credentials: MailboxCredentials, transport: Transport): void {
    const key = idleKeyOf(scope, credentials);
    const entry: Entry = { transport, timer: setTimeout(() => this.drop(key, entry), IDLE_MS).unref() };
    this.entries.set(key, [...(this.entries.get(key) ?? []), entry]);
  }

  closeOf(scope: IdleScope, credentials: MailboxCredentials): void {
    const key = idleKeyOf(scope, credentials);
    for (const entry of this.entries.get(key) ?? []) this.drop(key, entry);
  }

  clear(): void {
    for (const [key, idle] of this.entries) for (const entry of [...idle]) this.drop(key, entry);
  }

  private drop(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.transport.close();
    const others = (this.entries.get(key) ?? []).filter((each) => each !== entry);
    if (others.length > 0) this.entries.set(key, others);
    else this.entries.delete(key);
  }
}

/**
 * Returns a hash of the credentials, so that a session with old ones is not reused after they have changed, and no secret
 * stays in memory as a key. The credentials of accounts that are connected by OAuth name the account, because a session goes
 * on with the token that it was opened with.
 */
export const idleKeyOf = ({ workspace_id: workspaceId }: IdleScope, credentials: MailboxCredentials): string =>
  createHash('sha256')
    .update(JSON.stringify([workspaceId, credentials]))
    .digest('base64url');
