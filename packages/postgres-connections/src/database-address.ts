import { isIP } from 'node:net';

const PROTOCOLS = ['postgres://', 'postgresql://'];
const DEFAULT_PORT = 5432;

/** Scheme, user name and password up to the last `@`, hosts, path and query. */
const URI = /^(?<scheme>[a-z]+:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/i;
const HOST_AND_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<name>[^:]*))(?::(?<port>\d{0,5}))?$/;

/** The values of libpq that do not demand a server that only reads. */
const TARGETS = ['any', 'read-write', 'primary'] as const;

const MAX_CONNECT_SECONDS = 3_600;

/** A text is no connection string. The message continues a sentence that begins with its name. */
export class WrongDatabaseAddress extends Error {}

/** One PostgreSQL server of a {@link DatabaseAddress}. */
export interface DatabaseServer {
  /** A name, an address or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Where a database is. */
export interface DatabaseAddress {
  /** In the order in which they are tried; at least one. */
  readonly servers: readonly DatabaseServer[];
  /** Whether a server that only reads must not be used: it is demanded, or there is a choice. */
  readonly mustAcceptWrites: boolean;
  /** The connection string for the driver, which knows one host: `localhost` in place of all of them. */
  readonly hostlessUrl: string;
  /** How long a connection to one server may take to open: `connect_timeout`. */
  readonly connectTimeoutMs: number | undefined;
  /** The name of the database, percent-encoded; empty if it is that of the user. */
  readonly database: string;
}

/**
 * Takes a connection string apart that may have several hosts (PostgreSQL, libpq, "Specifying Multiple Hosts"):
 * `postgres://user:password@one:5432,two:5433/database?target_session_attrs=read-write`, also with `?host=` and `?port=`.
 * @throws WrongDatabaseAddress if it is not one
 */
export function parseDatabaseAddress(url: string): DatabaseAddress {
  const { scheme = '', user, hosts = '', path = '', query = '' } = URI.exec(url)?.groups ?? {};
  const parameters = new URLSearchParams(query);
  const servers = serversOf(hosts, parameters);
  const mustAcceptWrites = takeTarget(parameters) || servers.length > 1;
  const connectTimeoutMs = takeConnectTimeout(parameters);
  const rest = parameters.size > 0 ? `?${String(parameters).replaceAll('+', '%20')}` : '';
  const hostlessUrl = `${scheme}${user === undefined ? '' : `${user}@`}localhost${path}${rest}`;
  if (!PROTOCOLS.includes(scheme.toLowerCase()) || !URL.canParse(hostlessUrl)) throw notAnAddress();
  return { servers, mustAcceptWrites, hostlessUrl, connectTimeoutMs, database: path.slice(1) };
}

/** @returns the database and the servers of a connection string, for people: `outreach at one:5432,two:5432` */
export function describeDatabase(url: string): string {
  const { database, servers } = parseDatabaseAddress(url);
  return `${database} at ${servers.map(describeServer).join()}`;
}

/** @returns `host:port` */
export const describeServer = ({ host, port }: DatabaseServer): string => `${bracketed(host)}:${port}`;

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Removes the parameters that name servers. A single port holds for all hosts. */
function serversOf(hosts: string, parameters: URLSearchParams): DatabaseServer[] {
  const named = takeList(parameters, 'host');
  const ports = takeList(parameters, 'port');
  const items = named ?? hosts.split(',');
  if (ports && ports.length !== 1 && ports.length !== items.length) {
    throw new WrongDatabaseAddress(`must have one port, or one for each of its ${items.length} hosts`);
  }
  return items.map((item, index) => {
    const port = ports && (ports.length === 1 ? ports[0] : ports[index]);
    return named ? serverOf(item, port) : parseServer(item, port);
  });
}

function parseServer(text: string, otherPort: string | undefined): DatabaseServer {
  const { ipv6, name = '', port } = HOST_AND_PORT.exec(text)?.groups ?? {};
  // The directory of a Unix socket is percent-encoded there.
  return serverOf(ipv6 ?? name.replaceAll(/%2f/gi, '/'), otherPort ?? port);
}

/** @param port the default if it is empty or absent */
function serverOf(host: string, port = ''): DatabaseServer {
  const server = { host, port: port === '' ? DEFAULT_PORT : Number(port) };
  const isPort = Number.isInteger(server.port) && server.port >= 1 && server.port <= 65_535;
  const isHost = host.startsWith('/') || (host !== '' && URL.canParse(`postgres://${describeServer(server)}`));
  if (!isPort || !isHost) throw notAnAddress();
  return server;
}

function takeList(parameters: URLSearchParams, name: string): string[] | undefined {
  const value = parameters.get(name);
  parameters.delete(name);
  return value ? value.split(',').map((item) => item.trim()) : undefined;
}

/** @returns whether the server has to accept writes */
function takeTarget(parameters: URLSearchParams): boolean {
  const target = parameters.get('target_session_attrs') ?? 'any';
  parameters.delete('target_session_attrs');
  if (!TARGETS.some((known) => known === target)) {
    throw new WrongDatabaseAddress(
      `must have target_session_attrs=read-write, because the service writes; ${JSON.stringify(target)} is another value`,
    );
  }
  return target !== 'any';
}

/** @returns milliseconds; libpq has it in seconds */
function takeConnectTimeout(parameters: URLSearchParams): number | undefined {
  const value = parameters.get('connect_timeout');
  parameters.delete('connect_timeout');
  if (value === null) return undefined;
  const seconds = Number(value);
  if (!/^\d+$/.test(value) || seconds < 1 || seconds > MAX_CONNECT_SECONDS) {
    throw new WrongDatabaseAddress(`must have a connect_timeout of 1 to ${MAX_CONNECT_SECONDS} seconds`);
  }
  return seconds * 1_000;
}

const notAnAddress = (): WrongDatabaseAddress =>
  new WrongDatabaseAddress(
    'must be a URL like postgres://user:password@host:5432/database, or with several hosts: host1,host2; special ' +
      'characters of user and password are percent-encoded, such as %2F for /',
  );
