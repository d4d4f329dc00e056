import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Provider = 'google' | 'microsoft';
type Claims = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly grant_type: string;
  readonly form: Form;
}

/** What the token endpoint does instead: it replies so, or leaves the request open. */
export type TokenFailure = { readonly status: number; readonly body: object | string } | 'silent';

const CLIENT = { client_id: 'outreach-client', client_secret: 'outreach-secret' };
const TENANT = '11111111-2222-4333-8444-555555555555';
const KEY_ID = 'first';

interface IssuedCode {
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly nonce: string;
}

/**
 * An OpenID provider on loopback: discovery, keys, the authorization code flow with PKCE, ID tokens (RS256), refresh tokens
 * and revocation. As `microsoft` its issuer is a template with `{tenantid}`.
 */
export class OpenidProvider {
  /** The claims of the user who gives access. A claim that is undefined is left out. */
  user: Claims = { sub: 'anna', email: 'anna@mail.example', email_verified: true, name: 'Anna Example' };
  /** Claims that replace those of every ID token, such as `aud`. */
  claims: Claims = {};
  /** The error of the next authorizations, such as `access_denied`. */
  authorizationError: string | undefined;
  /** How the token endpoint fails. */
  failure: TokenFailure | undefined;
  /** Whether the code exchange returns a refresh token. */
  issuesRefreshTokens = true;
  /** Whether a refresh replaces the refresh token, and makes the old one void. */
  rotates = false;
  /** Whether ID tokens are signed with a key that is not published. */
  signsWithUnknownKey = false;
  hasRevocation = true;
  revocationStatus = 200;
  accessTokenSeconds = 3600;
  readonly tokenRequests: TokenRequest[] = [];
  readonly revoked: string[] = [];
  discoveries = 0;
  /** Refresh tokens that are valid. */
  readonly refreshTokens = new Set<string>();
  /** Access tokens in the order in which they were issued. */
  readonly accessTokens: string[] = [];
  private readonly codes = new Map<string, IssuedCode>();
  private readonly key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly unknownKey = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private port = 0;
  private tokensGate: Promise<void> = Promise.resolve();
  private discoveriesGate: Promise<void> = Promise.resolve();

  private constructor(
    readonly provider: Provider,
    private readonly server: Server,
  ) {}

  static async start(provider: Provider = 'google'): Promise<OpenidProvider> {
    const server = createServer();
    const started = new OpenidProvider(provider, server);
    server.on('request', (request, response) => void started.respond(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    started.port = (server.address() as AddressInfo).port;
    return started;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Starts again on the same port. */
  async restart(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** The settings of a service that uses it. */
  get settings(): Record<string, string> {
    const name = this.provider.toUpperCase();
    return {
      [`${name}_ISSUER`]: this.configuredIssuer,
      [`${name}_CLIENT_ID`]: CLIENT.client_id,
      [`${name}_CLIENT_SECRET`]: CLIENT.client_secret,
    };
  }

  /** The refreshes that the token endpoint has received. */
  get refreshes(): TokenRequest[] {
    return this.tokenRequests.filter(({ grant_type: type }) => type === 'refresh_token');
  }

  /** Delays the responses of the token endpoint until the returned function is called. */
  holdTokens(): () => void {
    const { gate, release } = closedGate();
    this.tokensGate = gate;
    return release;
  }

  /** Delays the responses to discoveries until the returned function is called. */
  holdDiscoveries(): () => void {
    const { gate, release } = closedGate();
    this.discoveriesGate = gate;
    return release;
  }

  /** Opens an authorization URL as a browser, in which the user gives access. @returns the URL of the callback */
  async authorize(authorizationUrl: string): Promise<URL> {
    const response = await fetch(authorizationUrl, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status !== 302 || !location) throw new Error(`${response.status} ${await response.text()}`);
    return new URL(location);
  }

  /** Issues tokens as if a user had given access. */
  issue(): { readonly access_token: string; readonly refresh_token: string } {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.accessTokens.push(access);
    this.refreshTokens.add(refresh);
    return { access_token: access, refresh_token: refresh };
  }

  private get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private get configuredIssuer(): string {
    return this.provider === 'microsoft' ? `${this.url}/common/v2.0` : this.url;
  }

  private issuer(tenant: string): string {
    return this.provider === 'microsoft' ? `${this.url}/${tenant}/v2.0` : this.url;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const chunks: Buffer[] = await request.toArray();
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    if (url.pathname === new URL(`${this.configuredIssuer}/.well-known/openid-configuration`).pathname) {
      this.discoveries += 1;
      await this.discoveriesGate;
      json(response, 200, this.metadata());
    } else if (url.pathname === '/keys') json(response, 200, { keys: [this.publicKey()] });
    else if (url.pathname === '/authorize') this.authorization(url.searchParams, response);
    else if (url.pathname === '/token') await this.token(form, response);
    else if (url.pathname === '/revoke') this.revocation(form, response);
    else json(response, 404, { error: 'not_found' });
  }

  private metadata(): object {
    return {
      issuer: this.issuer('{tenantid}'),
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      ...(this.hasRevocation ? { revocation_endpoint: `${this.url}/revoke` } : {}),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  private publicKey(): object {
    return { ...this.key.publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' };
  }

  private authorization(query: URLSearchParams, response: ServerResponse): void {
    const parameter = (name: string): string => query.get(name) ?? '';
    const isComplete =
      parameter('client_id') === CLIENT.client_id &&
      parameter('response_type') === 'code' &&
      parameter('code_challenge_method') === 'S256' &&
      ['redirect_uri', 'state', 'nonce', 'code_challenge'].every((name) => parameter(name) !== '');
    if (!isComplete) return json(response, 400, { error: 'invalid_request' });
    const callback = new URL(parameter('redirect_uri'));
    callback.searchParams.set('state', parameter('state'));
    if (this.authorizationError !== undefined) callback.searchParams.set('error', this.authorizationError);
    else callback.searchParams.set('code', this.issueCode(parameter));
    // Parameters beside those of the protocol, as Google and Microsoft send them.
    callback.searchParams.set('scope', parameter('scope'));
    callback.searchParams.set('session_state', 'x');
    response.writeHead(302, { location: callback.href }).end();
  }

  private issueCode(parameter: (name: string) => string): string {
    const code = randomUUID();
    this.codes.set(code, {
      redirect_uri: parameter('redirect_uri'),
      code_challenge: parameter('code_challenge'),
      nonce: parameter('nonce'),
    });
    return code;
  }

  private async token(form: Form, response: ServerResponse): Promise<void> {
    this.tokenRequests.push({ grant_type: form.grant_type ?? '', form });
    await this.tokensGate;
    const { failure } = this;
    if (failure === 'silent') return;
    if (failure) return json(response, failure.status, failure.body);
    if (form.client_id !== CLIENT.client_id || form.client_secret !== CLIENT.client_secret)
      return json(response, 401, { error: 'invalid_client' });
    const tokens = form.grant_type === 'refresh_token' ? this.refreshed(form) : this.exchanged(form);
    if (!tokens) return json(response, 400, { error: 'invalid_grant', error_description: 'It is not valid any more.' });
    json(response, 200, { token_type: 'Bearer', expires_in: this.accessTokenSeconds, ...tokens });
  }

  private exchanged(form: Form): object | undefined {
    const code = this.codes.get(form.code ?? '');
    this.codes.delete(form.code ?? '');
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (!code || code.redirect_uri !== form.redirect_uri || code.code_challenge !== challenge) return undefined;
    const { access_token, refresh_token } = this.issue();
    const id_token = this.idToken({ nonce: code.nonce });
    return { access_token, id_token, ...(this.issuesRefreshTokens ? { refresh_token } : {}) };
  }

  private refreshed(form: Form): object | undefined {
    const old = form.refresh_token ?? '';
    if (!this.refreshTokens.has(old)) return undefined;
    const { access_token, refresh_token } = this.issue();
    if (this.rotates) this.refreshTokens.delete(old);
    // An ID token that does not verify: a refresh does not depend on it.
    const id_token = this.idToken({ iss: 'https://other.example' });
    return { access_token, id_token, ...(this.rotates ? { refresh_token } : {}) };
  }

  private idToken(claims: Claims): string {
    const now = Math.floor(Date.now() / 1000);
    const tenant = this.provider === 'microsoft' ? { tid: TENANT } : {};
    const payload = {
      iss: this.issuer(TENANT),
      aud: CLIENT.client_id,
      iat: now,
      exp: now + 3600,
      ...tenant,
      ...this.user,
      ...claims,
      ...this.claims,
    };
    return signed(payload, this.signsWithUnknownKey ? this.unknownKey.privateKey : this.key.privateKey);
  }

  private revocation(form: Form, response: ServerResponse): void {
    this.revoked.push(form.token ?? '');
    if (this.revocationStatus === 200) this.refreshTokens.delete(form.token ?? '');
    response.writeHead(this.revocationStatus).end();
  }
}

function closedGate(): { readonly gate: Promise<void>; readonly release: () => void } {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  return { gate, release };
}

function json(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A JSON Web Token, signed with RS256. */
function signed(payload: object, key: KeyObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })}.${part(payload)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}
