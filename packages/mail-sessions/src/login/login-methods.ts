/**
 * Returns, for the owner of an account, that client and server know no method of login in common (RFC 4422); undefined if
 * they do.
 * @param offered by the server, in upper case
 * @param usable with the login of the account
 */
export function noMethodInCommon(offered: readonly string[], usable: readonly string[]): string | undefined {
  if (offered.some((method) => usable.includes(method))) return undefined;
  const offer = offered.length === 0 ? 'none that is allowed on this connection' : offered.join(', ');
  return `no login method in common: the server offers ${offer}; this service uses ${usable.join(', ')}`;
}
