import type { OpenidProvider } from './openid-provider.js';

type Service = Readonly<{ url: string }>;

/** A browser in which a person connects a mailbox. It keeps cookies, and has its own from the beginning: none. */
export class ConnectingBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly service: Service) {}

  /** Opens an address of the service, whatever host it names. */
  async open(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(address);
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`${this.service.url}${pathname}${search}`, { redirect: 'manual', ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }

  /** Opens the page before the provider, and continues. @returns the address at the provider, or null if there is none */
  async agree(authorizationUrl: string, headers: Record<string, string> = {}): Promise<string | null> {
    await (await this.open(authorizationUrl)).text();
    const response = await this.open(authorizationUrl, { method: 'POST', headers });
    await response.text();
    return response.headers.get('location');
  }

  /** Continues to the provider, where the user gives access. @returns the URL of the callback */
  async authorize(provider: OpenidProvider, authorizationUrl: string): Promise<URL> {
    const address = await this.agree(authorizationUrl);
    if (address === null) throw new Error('The page before the provider leads nowhere.');
    return provider.authorize(address);
  }
}
