import { defineReason, RuleViolated } from '@outreach/http-errors';
import type { OauthProvider } from '../providers/provider-names.js';
import { PROVIDERS } from '../providers/providers.js';

const PROVIDER_NOT_CONFIGURED = defineReason(
  'provider_not_configured',
  422,
  'The operator has not configured a client ID and secret for this provider.',
);
const PROVIDER_UNAVAILABLE = defineReason(
  'provider_unavailable',
  422,
  'The provider does not respond. Repeat the request later.',
);

/** 422: the operator has not configured the application at the provider (API v1, "Connecting"). */
export class ProviderNotConfigured extends RuleViolated {
  constructor(provider: OauthProvider) {
    const name = provider.toUpperCase();
    super(
      PROVIDER_NOT_CONFIGURED,
      `${PROVIDERS[provider].name} accounts cannot be connected: ` +
        `this service has no ${name}_CLIENT_ID and ${name}_CLIENT_SECRET.`,
    );
  }
}

/** 422: the provider does not respond. The client repeats the request later. */
export class ProviderNotReachable extends RuleViolated {
  constructor(provider: OauthProvider, options: ErrorOptions) {
    super(
      PROVIDER_UNAVAILABLE,
      `${PROVIDERS[provider].name} cannot be reached at the moment. Repeat the request later.`,
    );
    this.cause = options.cause;
  }
}
