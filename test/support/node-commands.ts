import pg from 'pg';
import type { TestDatabase } from './test-database.js';

/** What the coordinator of a distributed PostgreSQL has sent to a node. */
interface NodeCommand {
  readonly text: string;
  readonly node: string;
}

/** A statement of this process, with the commands that it became on the nodes. */
export interface CountedStatement {
  readonly text: string;
  /** The files that have called for it, without their endings, the innermost first. */
  readonly callers: readonly string[];
  readonly commands: NodeCommand[];
}

const ISSUED = /^issuing ([^]*)$/;
const NODE = /^on server (\S+)/;
/** What the engine sends around the parts of a statement: the transaction on a node, and its end. */
const OF_TRANSACTION = /^(BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SAVEPOINT|RELEASE)\b/;
const SHARD = /_(\d{6,})\b/g;
const FILE = /\/((?:src|packages)\/[^:()]+)\.ts:/g;
const STACK_LINES = 50;

function callersNow(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_LINES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return [...stack.matchAll(FILE)].flatMap(([, file]) => file ?? []);
}

/** The commands that run a part of a statement, without those that begin and end its transaction on a node. */
export const partsOf = ({ commands }: CountedStatement): NodeCommand[] =>
  commands.filter(({ text }) => !OF_TRANSACTION.test(text));

/** The nodes that run a part of a statement. */
export const nodesOf = (statement: CountedStatement): Set<string> =>
  new Set(partsOf(statement).map(({ node }) => node));

/** Records the statements of this process on a distributed database. */
export class NodeCommands {
  readonly statements: CountedStatement[] = [];
  private readonly running = new WeakMap<pg.Client, CountedStatement>();
  private readonly spy: jest.SpiedFunction<typeof pg.Client.prototype.query>;

  /** @param shares by the number of each shard of a distributed table, which share of the workspaces it has */
  private constructor(private readonly shares: ReadonlyMap<string, string>) {
    const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
    const begin = (client: pg.Client, text: string) => this.begin(client, text);
    this.spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
      const [first] = args as unknown as [string | { text: string }];
      begin(this, typeof first === 'string' ? first : first.text);
      return Reflect.apply(query, this, args);
    });
  }

  /** Begins to record. The coordinator names its commands to each session that is opened from now on. */
  static async of(database: TestDatabase): Promise<NodeCommands> {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET citus.log_remote_commands = on`);
    const shards = await database.query<{ shard: string; share: string }>(
      `SELECT shardid::text AS shard, shardminvalue AS share FROM pg_dist_shard WHERE shardminvalue IS NOT NULL`,
    );
    return new NodeCommands(new Map(shards.map(({ shard, share }) => [shard, share])));
  }

  /** The shares of the workspaces that a statement reads or writes: one for a statement of one workspace. */
  sharesOf({ commands }: CountedStatement): Set<string> {
    const shards = commands.flatMap(({ text }) => [...text.matchAll(SHARD)].map(([, shard]) => shard ?? ''));
    return new Set(shards.flatMap((shard) => this.shares.get(shard) ?? []));
  }

  stop(): void {
    this.spy.mockRestore();
  }

  /** A connection runs one statement after the other, so its notices are about the last one. */
  private begin(client: pg.Client, text: string): void {
    const isNew = !this.running.has(client);
    const statement: CountedStatement = { text, callers: callersNow(), commands: [] };
    this.statements.push(statement);
    this.running.set(client, statement);
    if (!isNew) return;
    client.on('notice', ({ message, detail }) => {
      const command = ISSUED.exec(message ?? '')?.[1];
      const node = NODE.exec(detail ?? '')?.[1] ?? '';
      if (command !== undefined) this.running.get(client)?.commands.push({ text: command, node });
    });
  }
}
