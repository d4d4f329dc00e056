import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/index.js';
import type { OauthConfig } from './oauth.settings.js';

/** The applications to which a browser may return when a mailbox is connected. */
@Injectable()
export class RedirectOrigins {
  private readonly origins: ReadonlySet<string>;

  constructor(@Inject(CONFIG) config: Pick<Config, 'public_url'> & Pick<OauthConfig, 'oauth_redirect_origins'>) {
    this.origins = new Set([...config.oauth_redirect_origins, new URL(config.public_url).origin]);
  }

  /** Returns whether a text is an absolute URL without user name and password, of one of the origins. */
  allows(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const { origin, username, password } = new URL(text);
    return this.origins.has(origin) && username === '' && password === '';
  }
}
