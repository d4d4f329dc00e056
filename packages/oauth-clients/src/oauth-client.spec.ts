import { OpenidProvider } from '../../../test/support/openid-provider.js';
import { type Authorization, GrantRevoked, newAuthorization, OauthClient, OauthUnavailable } from './index.js';

const REDIRECT_URI = 'https://client.test/callback';

let provider: OpenidProvider;
let client: OauthClient;
beforeEach(async () => {
  provider = await OpenidProvider.start();
  const { GOOGLE_ISSUER: issuer = '', GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '' } = provider.settings;
  client = new OauthClient({
    name: 'Provider',
    issuer,
    client_id: GOOGLE_CLIENT_ID,
    client_secret: GOOGLE_CLIENT_SECRET,
  });
});
afterEach(() => provider.stop());

async function exchanged(authorization: Authorization) {
  const url = await client.authorizationUrl(authorization, { redirect_uri: REDIRECT_URI, scope: 'openid email' });
  const { searchParams: parameters } = await provider.authorize(url.href);
  return client.exchange({ ...authorization, parameters }, REDIRECT_URI);
}

describe('a client of a provider', () => {
  it('exchanges the code of a person who consents for verified claims and tokens, with one discovery', async () => {
    const { claims, tokens } = await exchanged(newAuthorization());
    expect(claims).toMatchObject({ email: 'anna@mail.example' });
    expect(tokens).toEqual({
      access_token: provider.accessTokens[0],
      refresh_token: expect.any(String),
      seconds: 3600,
    });
    expect(provider.discoveries).toBe(1);
  });

  it.each([
    ['with another key', () => (provider.signsWithUnknownKey = true)],
    ['for another client', () => (provider.claims = { aud: 'other' })],
    ['for another authorization', () => (provider.claims = { nonce: 'other' })],
  ])('refuses an ID token that was signed %s', async (_, change) => {
    change();
    await expect(exchanged(newAuthorization())).rejects.toThrow();
  });

  it('refreshes tokens, whatever the ID token of the response is, and revokes them', async () => {
    provider.rotates = true;
    const { refresh_token: first } = provider.issue();
    const endpoint = await client.tokenEndpoint();
    const { refresh_token: second = '' } = await endpoint.refresh(first);
    expect(provider.refreshTokens).toEqual(new Set([second]));
    await endpoint.revoke(second);
    expect(provider.revoked).toEqual([second]);
    await expect(endpoint.refresh(second)).rejects.toThrow(GrantRevoked);
  });

  it.each([
    [{ status: 400, body: { error: 'invalid_scope' } }, 'it replied 400 invalid_scope'],
    [{ status: 503, body: { error: 'temporarily_unavailable' } }, 'its reply is not valid'],
    [{ status: 200, body: '<html>' }, 'its reply is not valid'],
    [{ status: 200, body: { access_token: 'a\r\nb', token_type: 'Bearer' } }, 'its reply is not valid'],
    [{ status: 200, body: 'x'.repeat(300_000) }, 'its reply is not valid'],
  ])('may be able to refresh a token later after the reply %j', async (failure, reason) => {
    const endpoint = await client.tokenEndpoint();
    provider.failure = failure;
    const refresh = endpoint.refresh(provider.issue().refresh_token);
    await expect(refresh).rejects.toThrow(OauthUnavailable);
    await expect(refresh).rejects.toThrow(reason);
  });

  it('does not remember that the endpoints could not be read', async () => {
    await provider.stop();
    await expect(client.tokenEndpoint()).rejects.toThrow(OauthUnavailable);
    await provider.restart();
    await expect(client.tokenEndpoint()).resolves.toBeDefined();
  });
});
