/** The provider says that the account's credentials are wrong. Trying again with the same ones is of no use. */
export class LoginRefused extends Error {
  override readonly name: string = 'LoginRefused';
}

/** The provider cannot be used at the moment: not reached, no trust in it, or not willing. Another try may succeed. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}
