import { ProviderUnavailable } from '@outreach/mail-sessions';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { AccessTokens } from './access-tokens.js';

/** The operator has configured the mail servers of these providers, so they may have any address. */
export const CONFIGURED_SERVERS = { allows: () => true, isInConfiguredRange: () => false };

/** What opens a session with an access token. */
export interface TokenLogin<Session> {
  /** @param timeoutMs the milliseconds that are left; undefined without a limit of the caller */
  readonly open: (accessToken: string, timeoutMs: number | undefined) => Promise<Session>;
  /** Whether the server has refused the token. */
  readonly isRefusal: (error: unknown) => boolean;
}

/**
 * Opens a session with the access token of an account. A token that is refused is refreshed once.
 * @param timeoutMs milliseconds for everything; undefined if each part has a limit of its own
 * @throws what `open` and AccessTokens throw; ProviderUnavailable if the time is over
 */
export async function openWithToken<Session>(
  tokens: AccessTokens,
  { scope, account_id: accountId }: { readonly scope: WorkspaceScope; readonly account_id: number },
  { open, isRefusal }: TokenLogin<Session>,
  timeoutMs?: number,
): Promise<Session> {
  const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const remainingMs = (): number | undefined => deadline && Math.max(1, deadline - performance.now());
  const token = await inTime(tokens.get(scope, accountId), remainingMs());
  try {
    return await open(token, remainingMs());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return open(await inTime(tokens.replace(scope, accountId, token), remainingMs()), remainingMs());
  }
}

/** A refresh goes on after the time is over: its result is stored for others. */
async function inTime(token: Promise<string>, timeoutMs: number | undefined): Promise<string> {
  if (timeoutMs === undefined) return token;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnavailable('The access token was not refreshed in time.')), timeoutMs);
  });
  try {
    return await Promise.race([token, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
