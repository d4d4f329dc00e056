import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket as NetSocket } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

/** The records of a name, as a zone file has them. A text above 255 bytes is split into several strings. */
export interface Records {
  readonly TXT?: readonly string[];
  /** Priority and host. */
  readonly MX?: readonly (readonly [number, string])[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly CNAME?: string;
}

/** How the server misbehaves for a name: it does not respond, fails, cuts its responses over UDP, or sends nonsense. */
export type Misbehaviour = 'silent' | 'servfail' | 'refused' | 'truncated' | 'garbage' | 'other question' | 'other id';

const CODES = { servfail: 2, nxdomain: 3, refused: 5 } as const;

/** A name server on loopback, over UDP and TCP, with the records that a test defines. */
export class DnsServer {
  /** What was asked for, e.g. `TXT example.com`. A query that a client repeats because it has waited too long counts once. */
  readonly questions: string[] = [];
  private readonly queries = new Set<string>();
  private readonly zone = new Map<string, Records>();
  private readonly misbehaviours = new Map<string, Misbehaviour>();

  private readonly connections = new Set<NetSocket>();

  private constructor(
    private readonly udp: Socket,
    private readonly tcp: Server,
  ) {}

  static async start(): Promise<DnsServer> {
    const [udp, tcp] = await openSockets();
    const server = new DnsServer(udp, tcp);
    udp.on('message', (query, { port: to, address }) => {
      const reply = server.reply(decode(query), 'udp');
      if (reply) udp.send(reply, to, address);
    });
    tcp.on('connection', (socket) => {
      let received = Buffer.alloc(0);
      server.connections.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => server.connections.delete(socket));
      socket.on('data', (data) => {
        received = Buffer.concat([received, data]);
        // A client may ask several questions over one connection.
        while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
          const end = 2 + received.readUInt16BE(0);
          const reply = server.reply(decode(received.subarray(2, end)), 'tcp');
          if (reply) socket.write(reply);
          received = received.subarray(end);
        }
      });
    });
    return server;
  }

  /** The value of `DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.udp.address().port}`;
  }

  /** Sets the records of a name. */
  set(name: string, records: Records): void {
    this.zone.set(name.toLowerCase(), records);
  }

  /** Sets the records of several names. */
  setAll(records: Readonly<Record<string, Records>>): void {
    for (const [name, value] of Object.entries(records)) this.set(name, value);
  }

  /** @param misbehaviour how it misbehaves for the name and all names below it; none ends it */
  misbehave(name: string, misbehaviour?: Misbehaviour): void {
    if (misbehaviour) this.misbehaviours.set(name, misbehaviour);
    else this.misbehaviours.delete(name);
  }

  async stop(): Promise<void> {
    this.udp.close();
    this.tcp.close();
    for (const connection of this.connections) connection.destroy();
    await once(this.tcp, 'close');
  }

  private reply(query: Packet, by: 'udp' | 'tcp'): Buffer | undefined {
    const [question] = query.questions ?? [];
    if (!question) return undefined;
    const name = question.name.toLowerCase();
    this.note(`${question.type} ${name}`, query.id);
    const misbehaviour = this.misbehaviourOf(name);
    if (misbehaviour === 'silent') return undefined;
    if (misbehaviour === 'garbage') return Buffer.from('this is no response at all');
    const encoded = by === 'udp' ? encode : streamEncode;
    const code = misbehaviour === 'servfail' || misbehaviour === 'refused' ? misbehaviour : undefined;
    const known = this.zone.has(name) ? 0 : CODES.nxdomain;
    const isTruncated = misbehaviour === 'truncated' && by === 'udp';
    const answers = code || isTruncated ? [] : this.answersTo(name, question.type);
    return encoded({
      type: 'response',
      id: misbehaviour === 'other id' ? ((query.id ?? 0) + 1) % 65_536 : query.id,
      flags: AUTHORITATIVE_ANSWER | (isTruncated ? TRUNCATED_RESPONSE : 0) | (code ? CODES[code] : known),
      questions: misbehaviour === 'other question' ? [{ ...question, name: `other.${name}` }] : [question],
      answers,
    });
  }

  /** @param id that of the query, which it has when it is repeated, too */
  private note(question: string, id: number | undefined): void {
    const query = `${id} ${question}`;
    if (!this.queries.has(query)) this.questions.push(question);
    this.queries.add(query);
  }

  private misbehaviourOf(name: string): Misbehaviour | undefined {
    const labels = name.split('.');
    const names = labels.map((_, index) => labels.slice(index).join('.'));
    return names.map((each) => this.misbehaviours.get(each)).find(Boolean);
  }

  /** @param aliases how many aliases it follows: they may be in a loop */
  private answersTo(name: string, type: string, aliases = 8): Answer[] {
    const records = aliases === 0 ? {} : (this.zone.get(name) ?? {});
    const ttl = 0;
    if (records.CNAME !== undefined) {
      const alias: Answer = { type: 'CNAME', name, ttl, data: records.CNAME };
      return type === 'CNAME' ? [alias] : [alias, ...this.answersTo(records.CNAME.toLowerCase(), type, aliases - 1)];
    }
    switch (type) {
      case 'TXT':
        return (records.TXT ?? []).map((text) => ({ type, name, ttl, data: text.match(/[^]{1,255}/g) ?? [''] }));
      case 'MX':
        return (records.MX ?? []).map(([preference, exchange]) => ({
          type,
          name,
          ttl,
          data: { preference, exchange },
        }));
      case 'A':
      case 'AAAA':
        return (records[type] ?? []).map((data) => ({ type, name, ttl, data }));
      default:
        return [];
    }
  }
}

/** Opens the same port of loopback for UDP and TCP: another one if that which is free for TCP is taken for UDP. */
async function openSockets(): Promise<[udp: Socket, tcp: Server]> {
  const tcp = createServer().listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, '127.0.0.1');
  try {
    await once(udp, 'listening');
    return [udp, tcp];
  } catch {
    udp.close();
    tcp.close();
    return openSockets();
  }
}
