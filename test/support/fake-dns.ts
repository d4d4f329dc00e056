import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HostResolver } from '@outreach/egress';

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** Addresses of both families, or names to which the name refers (CNAME) and which the server resolves in turn. */
export type DnsAnswer = readonly string[];

/**
 * A real DNS server on loopback (RFC 1035, over UDP) with answers that the test defines, and that may differ for each
 * lookup. A resolver queries both families; that counts as one lookup.
 */
export class FakeDns {
  /** The looked up names. */
  readonly lookups: string[] = [];
  readonly #answers = new Map<string, DnsAnswer[]>();
  readonly #socket: Socket = createSocket('udp4');
  readonly #resolver = new Resolver({ timeout: 10_000, tries: 1 });
  #isSilent = false;

  static async start(): Promise<FakeDns> {
    const server = new FakeDns();
    server.#socket.on('message', (query, from) => server.#reply(query, from));
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    server.#resolver.setServers([server.address]);
    return server;
  }

  /** Sets the answers for a name: for the first lookup, the second and so on. The last one is repeated. */
  answers(name: string, ...answers: DnsAnswer[]): void {
    this.#answers.set(name, answers);
  }

  /** Ignores all queries from now on. */
  stopAnswering(): void {
    this.#isSilent = true;
  }

  async stop(): Promise<void> {
    this.#resolver.cancel();
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  /** Its address and port. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** A resolver that queries this server only, with Node's DNS client. */
  get resolver(): HostResolver {
    return async (name) => {
      this.lookups.push(name);
      const found = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)]);
      this.#nextAnswer(name);
      const addresses = found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
      if (addresses.length === 0) throw new Error(`no address of ${name}`);
      return addresses;
    };
  }

  #nextAnswer(name: string): void {
    const answers = this.#answers.get(name);
    if (answers && answers.length > 1) this.#answers.set(name, answers.slice(1));
  }

  #reply(query: Buffer, { port, address }: RemoteInfo): void {
    if (this.#isSilent) return;
    const { name, type, end } = question(query);
    const records = this.#records(name, type);
    const header = Buffer.from(query.subarray(0, 12));
    const NXDOMAIN = 3;
    header.writeUInt16BE(0x8580 | (this.#answers.has(name) ? 0 : NXDOMAIN), 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    this.#socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  }

  /** Returns the records that answer a question, including CNAMEs. */
  #records(name: string, type: number): Buffer[] {
    const [answer = []] = this.#answers.get(name) ?? [];
    return answer.flatMap((value) => {
      const family = isIP(value);
      if (family === 0) return [record(name, types.CNAME, wireName(value)), ...this.#records(value, type)];
      const fits = type === (family === 4 ? types.A : types.AAAA);
      return fits ? [record(name, type, Buffer.from(ipaddr.parse(value).toByteArray()))] : [];
    });
  }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function wireName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function record(name: string, type: number, content: Buffer): Buffer {
  const CLASS_INTERNET = 1;
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(CLASS_INTERNET, 2);
  fields.writeUInt16BE(content.length, 8);
  return Buffer.concat([wireName(name), fields, content]);
}
