/** The provider refuses the credentials of the account. A retry with the same ones is useless. */
export class LoginRefused extends Error {
  override readonly name: string = 'LoginRefused';
}

/** The provider cannot be used now: it is not reachable, not trusted, or refuses service. A retry may succeed. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}
