import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { hashToken } from '../platform/crypto/index.js';
import type { Principal } from '../platform/http/index.js';
import { Log } from '../platform/logging/index.js';
import { TokenLookup } from './tokens.cross-tenant.js';

/** A revoked token must stop within a second on all processes, so nothing is believed for longer. */
const TTL_MS = 900;
const MAX_ENTRIES = 10_000;
const TOUCH_EVERY_MS = 5_000;
const TOKEN = /^out_[A-Za-z0-9_-]{40,100}$/;

interface CacheEntry {
  readonly principal: Principal | undefined;
  readonly expiresAt: number;
}

/**
 * Who is behind a bearer token. Answers come from a cache of under a second, and `last_used_at` is written for many
 * requests at once, so that a busy token costs the database next to nothing.
 */
@Injectable()
export class TokenCache implements BeforeApplicationShutdown {
  private readonly entries = new Map<string, CacheEntry>();
  private usedAt = new Map<number, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tokens: TokenLookup,
    private readonly log: Log,
  ) {}

  async find(token: string): Promise<Principal | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const principal = await this.lookUp(hashToken(token));
    if (!principal || (principal.expires_at && principal.expires_at.getTime() <= Date.now())) return undefined;
    this.usedAt.set(principal.token_id, new Date());
    this.timer ??= setTimeout(() => void this.touch(), TOUCH_EVERY_MS).unref();
    return principal;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.touch();
  }

  private async lookUp(hash: string): Promise<Principal | undefined> {
    const now = Date.now();
    const cached = this.entries.get(hash);
    if (cached && cached.expiresAt > now) return cached.principal;
    // The time of asking counts, not that of the answer: a revocation in between must not be missed.
    const principal = await this.tokens.principal(hash);
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(hash, { principal, expiresAt: now + TTL_MS });
    return principal;
  }

  /** A date that could not be written is no reason to refuse requests; it is logged, and the next use writes again. */
  private async touch(): Promise<void> {
    this.timer = undefined;
    const used = this.usedAt;
    this.usedAt = new Map();
    if (used.size === 0) return;
    await this.tokens.touch(used).catch((error: unknown) => this.log.warn('last_used_at was not written', { error }));
  }
}
