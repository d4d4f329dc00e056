import { Inject, Injectable } from '@nestjs/common';
import { EVENT_PROVIDERS } from '../email-accounts/index.js';
import { CONFIG, type Config } from '../platform/config/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { InboundKeys } from './inbound-keys.cross-tenant.js';
import type { InboundAddresses } from './inbound.view.js';

@Injectable()
export class InboundService {
  constructor(
    private readonly keys: InboundKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  async addresses(scope: WorkspaceScope): Promise<InboundAddresses> {
    return this.addressesWith(await this.keys.keyOf(scope));
  }

  /** Replaces the key. Reports to the old addresses are refused from now on. */
  async rotate(scope: WorkspaceScope): Promise<InboundAddresses> {
    return this.addressesWith(await this.keys.rotate(scope));
  }

  private addressesWith(key: string): InboundAddresses {
    const base = `${this.config.public_url}/inbound`;
    return {
      key,
      events: Object.fromEntries(EVENT_PROVIDERS.map(({ type }) => [type, `${base}/${type}/${key}`])),
      mail_url: `${base}/mail/${key}`,
    };
  }
}
