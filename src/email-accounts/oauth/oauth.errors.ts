import { RuleViolated } from '../../platform/errors/index.js';
import { type OauthProvider, PROVIDER_NAMES } from './oauth-provider.js';

/** 422: the operator has not configured the application at the provider (API v1, "Connecting"). */
export class ProviderNotConfigured extends RuleViolated {
  override readonly reason = 'provider_not_configured';

  constructor(provider: OauthProvider) {
    const name = provider.toUpperCase();
    super(
      `${PROVIDER_NAMES[provider]} accounts cannot be connected: this service has no ${name}_CLIENT_ID and ${name}_CLIENT_SECRET.`,
    );
  }
}

/** 422: the provider does not respond. The client repeats the request later. */
export class ProviderNotReachable extends RuleViolated {
  override readonly reason = 'provider_unavailable';

  constructor(provider: OauthProvider, options: ErrorOptions) {
    super(`${PROVIDER_NAMES[provider]} cannot be reached at the moment. Repeat the request later.`);
    this.cause = options.cause;
  }
}
