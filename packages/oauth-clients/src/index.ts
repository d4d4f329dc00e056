export type { OauthApplication } from './discovered-clients.js';
export {
  type Authorization,
  type AuthorizationCode,
  type ExchangedCode,
  newAuthorization,
  OauthClient,
} from './oauth-client.js';
export { GrantRevoked, OauthUnavailable } from './oauth-errors.js';
export type { TokenEndpoint } from './token-endpoint.js';
export type { ProviderTokens } from './tokens.js';
