import { type Connection, type PoolClient, Query, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

/** What the driver has, but its types do not declare. */
interface MessageWriter {
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}
type PreparingQuery = Query & { prepare(connection: Connection): void };
type PreparingClient = PoolClient & {
  readonly connection: { readonly parsedStatements: Readonly<Record<string, string | undefined>> };
};
type Callback = (error: Error | undefined, results: unknown) => void;
const PreparingQuery = Query as unknown as new (statement: QueryConfig, callback: Callback) => PreparingQuery;

/**
 * A statement behind those that begin its transaction. They are one message up to the `Sync`: if one of them fails,
 * PostgreSQL skips the rest, so the statement never runs outside of the transaction.
 */
class FirstStatement extends PreparingQuery {
  constructor(
    private readonly begin: readonly string[],
    statement: QueryConfig,
    callback: Callback,
  ) {
    super({ ...statement, queryMode: 'extended' } as QueryConfig, callback);
  }

  override prepare(connection: Connection & MessageWriter): void {
    for (const text of this.begin) {
      connection.parse({ text });
      connection.bind({});
      connection.execute({});
    }
    super.prepare(connection);
  }
}

/**
 * Whether a statement may be the first one of its transaction in one message with `BEGIN`. The driver would take a
 * `ParseComplete` of `BEGIN` for that of a statement that the session has not prepared yet.
 */
export const isReady = (client: PoolClient, { name }: QueryConfig): boolean =>
  name === undefined || (client as PreparingClient).connection.parsedStatements[name] !== undefined;

/** Begins a transaction and runs its first statement, in one round trip. @param begin one statement in each text */
export function beginWith<Row extends QueryResultRow>(
  client: PoolClient,
  begin: readonly string[],
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, results) => {
      if (error) reject(error);
      else resolve((results as readonly QueryResult<Row>[]).at(-1) as QueryResult<Row>);
    };
    client.query(new FirstStatement(begin, statement, callback));
  });
}
