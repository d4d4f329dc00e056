import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomToken } from '@outreach/keyring';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { STATE_MINUTES } from './oauth-states.queries.js';

/** A browser sends the header for each request; other clients need not. */
const OWN_SITE = ['same-origin', 'none', undefined];

/**
 * A secret of the browser in which a person connects a mailbox. Connections that are open in it at the same time share it.
 * With HTTPS, no other host can set the cookie (RFC 6265bis, 4.1.3.2).
 */
@Injectable()
export class BrowserCookie {
  private readonly isSecure: boolean;
  private readonly name: string;
  private readonly pattern: RegExp;

  constructor(@Inject(CONFIG) { public_url }: Pick<Config, 'public_url'>) {
    this.isSecure = public_url.startsWith('https:');
    this.name = `${this.isSecure ? '__Host-' : ''}outreach-browser`;
    this.pattern = new RegExp(`(?:^|;) *${this.name}=([\\w-]{43})(?:;|$)`);
  }

  /** Gives the browser its secret, and keeps the one that it has. It lasts longer than a state is good. */
  set(request: Request, response: Response): void {
    response.cookie(this.name, this.get(request) ?? randomToken(''), {
      httpOnly: true,
      maxAge: STATE_MINUTES * 60_000,
      path: '/',
      sameSite: 'lax',
      secure: this.isSecure,
    });
  }

  /** Returns the secret of the browser, or undefined if it has none. */
  get({ headers }: Request): string | undefined {
    return this.pattern.exec(headers.cookie ?? '')?.[1];
  }

  /** Like {@link get}, for a form; undefined, too, if a page of another site has sent it (Fetch Metadata). */
  getForForm(request: Request): string | undefined {
    const site = request.headers['sec-fetch-site'];
    return OWN_SITE.some((own) => own === site) ? this.get(request) : undefined;
  }
}
