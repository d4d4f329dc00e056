import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Log } from '@outreach/logging';
import { hashToken } from '@outreach/keyring';
import { wallClock } from '../platform/clock/index.js';
import type { Principal } from '../platform/http/requests/index.js';
import { TokenLookup } from './tokens.cross-tenant.js';

/** For how long a token is cached: one that another process has revoked must stop working within a second. */
export const TOKEN_CACHE_MS = 900;
const MAX_ENTRIES = 10_000;
const TOUCH_EVERY_MS = 5_000;
const TOKEN = /^out_[A-Za-z0-9_-]{40,100}$/;

/** Why there is no caller with a token. A revoked token is unknown, because it is no longer stored. */
export type TokenRefusal = 'malformed' | 'unknown' | 'expired';

/** Unknown tokens are cached too. */
interface CacheEntry {
  readonly principal: Principal | undefined;
}

/**
 * Finds the caller of a bearer token. Caches the lookup for less than a second and writes `last_used_at` for many
 * requests in one statement, so that frequent requests with the same token put little load on the database.
 */
@Injectable()
export class TokenCache implements BeforeApplicationShutdown {
  private readonly entries = new LRUCache<string, CacheEntry>({
    max: MAX_ENTRIES,
    ttl: TOKEN_CACHE_MS,
    perf: performance,
  });
  private revocations = 0;
  private usedAt = new Map<number, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tokens: TokenLookup,
    private readonly log: Log,
  ) {}

  /** The caller with this token, or why there is none. */
  async find(token: string): Promise<Principal | TokenRefusal> {
    if (!TOKEN.test(token)) return 'malformed';
    const principal = await this.cachedPrincipal(hashToken(token));
    return principal ? (this.used(principal) ?? 'expired') : 'unknown';
  }

  /** As `find`, but only from the cache: undefined also if the token has to be looked up. */
  findCached(token: string): Principal | undefined {
    return this.used(this.entries.get(hashToken(token))?.principal);
  }

  /** Removes the tokens of a workspace, so that one that has been revoked stops working immediately. */
  removeTokensOf(workspaceId: number): void {
    this.revocations += 1;
    for (const [hash, { principal }] of this.entries.entries()) {
      if (principal?.workspace_id === workspaceId) this.entries.delete(hash);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.touch();
  }

  /** The principal, whose use is recorded; undefined if the token has expired. */
  private used(principal: Principal | undefined): Principal | undefined {
    if (!principal) return undefined;
    const now = wallClock.now();
    if (principal.expires_at && principal.expires_at <= now) return undefined;
    this.usedAt.set(principal.token_id, now);
    this.timer ??= setTimeout(() => void this.touch(), TOUCH_EVERY_MS).unref();
    return principal;
  }

  private async cachedPrincipal(hash: string): Promise<Principal | undefined> {
    const cached = this.entries.get(hash);
    if (cached) return cached.principal;
    // The entry's age counts from before the query, because the token may be revoked while the query runs.
    const start = performance.now();
    const { revocations } = this;
    const principal = await this.tokens.principal(hash);
    if (revocations === this.revocations) this.entries.set(hash, { principal }, { start });
    return principal;
  }

  /** Writes `last_used_at`. A failure is only logged, because requests must not fail for it; the next use retries. */
  private async touch(): Promise<void> {
    this.timer = undefined;
    const used = this.usedAt;
    this.usedAt = new Map();
    if (used.size === 0) return;
    await this.tokens.touch(used).catch((error: unknown) => this.log.warn('last_used_at was not written', { error }));
  }
}
