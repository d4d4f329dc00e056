import pg from 'pg';
import type { TestDatabase } from './test-database.js';

/** A statement that this process has sent to the coordinator of a distributed PostgreSQL. */
export interface CountedStatement {
  readonly text: string;
  /** The files of the service that have called for it, the innermost first. */
  readonly callers: readonly string[];
  /** What the coordinator has sent to nodes for it. */
  readonly commands: NodeCommand[];
}

interface NodeCommand {
  readonly text: string;
  readonly node: string;
}

const ISSUED = /^issuing ([^]*)$/;
/** What the engine sends around the parts of a statement: the transaction on a node, and its end. */
const OF_TRANSACTION = /^(BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SAVEPOINT|RELEASE)\b/;
const NODE = /^on server (\S+)/;
const SHARD = /_(\d{6,})\b/g;

const FILE = /\/((?:src|packages)\/[^:()]+)\.ts:/g;

function callersNow(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return [...stack.matchAll(FILE)].flatMap(([, file]) => file ?? []);
}

export const isPart = ({ text }: NodeCommand): boolean => !OF_TRANSACTION.test(text);

/** The statements of this process on a distributed database, with the commands that they become on its nodes. */
export class NodeCommands {
  readonly statements: CountedStatement[] = [];
  private readonly spy: jest.SpiedFunction<typeof pg.Client.prototype.query>;

  /** @param places the part of the workspaces that a shard has, for the shards of distributed tables */
  private constructor(private readonly places: ReadonlyMap<string, string>) {
    const { statements } = this;
    const running = new WeakMap<pg.Client, CountedStatement>();
    const { query } = pg.Client.prototype;
    const begin = (client: pg.Client, text: string): void => {
      const statement: CountedStatement = { text, callers: callersNow(), commands: [] };
      statements.push(statement);
      // A connection runs one statement after the other, so a notice is about the last one.
      const isKnown = running.has(client);
      running.set(client, statement);
      if (isKnown) return;
      client.on('notice', ({ message, detail }) => {
        const command = ISSUED.exec(message ?? '')?.[1];
        const node = NODE.exec(detail ?? '')?.[1] ?? '';
        if (command !== undefined) running.get(client)?.commands.push({ text: command, node });
      });
    };
    this.spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
      const [first] = args as unknown as [string | { text: string }];
      begin(this, typeof first === 'string' ? first : first.text);
      return Reflect.apply(query, this, args) as void;
    });
  }

  /** Begins to record. The coordinator names its commands to each session that is opened from now on. */
  static async of(database: TestDatabase): Promise<NodeCommands> {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET citus.log_remote_commands = on`);
    const shards = await database.query<{ shard: string; place: string }>(
      `SELECT shardid::text AS shard, shardminvalue AS place FROM pg_dist_shard WHERE shardminvalue IS NOT NULL`,
    );
    return new NodeCommands(new Map(shards.map(({ shard, place }) => [shard, place])));
  }

  /** The parts of the workspaces that the commands of a statement read or write. */
  placesOf({ commands }: CountedStatement): Set<string> {
    const shards = commands.flatMap(({ text }) => [...text.matchAll(SHARD)].map(([, shard]) => shard ?? ''));
    return new Set(shards.flatMap((shard) => this.places.get(shard) ?? []));
  }

  stop(): void {
    this.spy.mockRestore();
  }
}
