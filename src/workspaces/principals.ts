import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { hashToken } from '../platform/crypto/index.js';
import type { Principal } from '../platform/http/index.js';
import { Log } from '../platform/logging/index.js';
import { TokenLookup } from './tokens.crossing.js';

/** A revoked token must stop within a second on all processes, so nothing is believed for longer. */
const BELIEVED_MS = 900;
const MOST_BELIEVED = 10_000;
const TOUCH_EVERY_MS = 5_000;
const TOKEN = /^out_[A-Za-z0-9_-]{40,100}$/;

interface Belief {
  readonly principal: Principal | undefined;
  readonly until: number;
}

/**
 * Who is behind a bearer token. Answers come from a cache of under a second, and `last_used_at` is written for many
 * requests at once, so that a busy token costs the database next to nothing.
 */
@Injectable()
export class Principals implements BeforeApplicationShutdown {
  private readonly beliefs = new Map<string, Belief>();
  private usedAt = new Map<number, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tokens: TokenLookup,
    private readonly log: Log,
  ) {}

  async behind(token: string): Promise<Principal | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const principal = await this.believe(hashToken(token));
    if (!principal || (principal.expires_at && principal.expires_at.getTime() <= Date.now())) return undefined;
    this.usedAt.set(principal.token_id, new Date());
    this.timer ??= setTimeout(() => void this.touch(), TOUCH_EVERY_MS).unref();
    return principal;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.touch();
  }

  private async believe(hash: string): Promise<Principal | undefined> {
    const now = Date.now();
    const known = this.beliefs.get(hash);
    if (known && known.until > now) return known.principal;
    // The time of asking counts, not that of the answer: a revocation in between must not be missed.
    const principal = await this.tokens.principal(hash);
    if (this.beliefs.size >= MOST_BELIEVED) this.beliefs.clear();
    this.beliefs.set(hash, { principal, until: now + BELIEVED_MS });
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
