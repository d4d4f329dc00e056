/** The provider cannot be used now: its endpoints cannot be read, or its reply is not valid. A retry may succeed. */
export class OauthUnavailable extends Error {
  override readonly name = 'OauthUnavailable';
}

/** The owner has withdrawn the consent, or the refresh token has expired (`invalid_grant`). A retry is useless. */
export class GrantRevoked extends Error {
  override readonly name = 'GrantRevoked';
}
