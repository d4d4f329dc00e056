import { beginWith, withDeadline } from '@outreach/postgres-connections';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { OpenTransaction } from './open-transaction.js';
import { preparedName } from './prepared-statements.js';
import { withRetries } from './retries.js';
import type { Session } from './session.js';
import type { OnNodes, Sql } from '@outreach/sql-fragments';
import { DatabaseUnavailable, isReadOnlyServer, StatementTimedOut, translateError } from './database-errors.js';

/** In a transaction the server has the time limit, too. This process gives it time to end the statement by itself. */
const SERVER_FIRST_MS = 1_000;

/** Whether a statement writes, and so waits for locks of other transactions. Keywords are in upper case. */
const LOCKS_ROWS = /\b(INSERT|UPDATE|DELETE)\b/;

/** Whether a statement writes, and so waits for locks of other transactions. */
export const locksRows = (statement: Sql): boolean => LOCKS_ROWS.test(statement.toQuery().text);

/** Runs the statements of a {@link Session}, within its time limits. */
export class StatementRunner {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Takes a connection for a transaction, which begins with its first statement. @throws DatabaseUnavailable */
  async begin(): Promise<OpenTransaction> {
    const [client, release] = await this.connect();
    const send = (statement: string) => this.send(client, statement).catch(throwTranslated);
    return new OpenTransaction(client, this.#session.limits, send, release, this.#session.connections.engine.nodes);
  }

  /** Runs a statement in a transaction. */
  async runIn<Row extends QueryResultRow>(transaction: OpenTransaction, statement: Sql): Promise<QueryResult<Row>> {
    const query = this.queryOf(statement, transaction.nodes);
    try {
      const begin = await transaction.beginBefore(query);
      return await this.send<Row>(transaction.client, query, begin);
    } catch (error) {
      if (isReadOnlyServer(error)) transaction.noteBroken(error);
      return throwTranslated(error);
    }
  }

  /** Runs a statement that is a transaction by itself, and is repeated after the same errors. */
  async runAlone<Row extends QueryResultRow>(statement: Sql): Promise<QueryResult<Row>> {
    try {
      return await withRetries(() => this.runOnOwnConnection<Row>(statement));
    } catch (error) {
      const translated = translateError(error);
      // The server does not say whether the statement was waiting for a lock when it was cancelled.
      const waited = translated instanceof StatementTimedOut && locksRows(statement);
      throw waited ? new DatabaseUnavailable(error) : translated;
    }
  }

  private send<Row extends QueryResultRow>(
    client: PoolClient,
    query: string | QueryConfig,
    begin: readonly string[] = [],
  ): Promise<QueryResult<Row>> {
    const { transaction, limits, signal } = this.#session;
    const isInTransaction = transaction !== undefined || typeof query === 'string';
    const milliseconds = limits.statementMs && limits.statementMs + (isInTransaction ? SERVER_FIRST_MS : 0);
    const { cancelMs } = limits;
    const run = () =>
      begin.length > 0 && typeof query === 'object' ? beginWith<Row>(client, begin, query) : client.query<Row>(query);
    // Strings are the statements that control the transaction.
    if (!signal || typeof query === 'string') return withDeadline(client, { milliseconds, cancelMs }, run);
    return cancellable(signal, () => withDeadline(client, { milliseconds, cancelMs, signal }, run));
  }

  /** The name is chosen at each call: it depends on what the sessions have prepared. */
  private queryOf(statement: Sql, nodes: OnNodes | undefined): QueryConfig {
    const { text, values } = statement.toQuery(nodes);
    return { text, values, ...preparedName(text, statement.preparation, this.#session.connections.variants) };
  }

  private async runOnOwnConnection<Row extends QueryResultRow>(statement: Sql): Promise<QueryResult<Row>> {
    const [client, release] = await this.connect();
    let broken: Error | undefined;
    try {
      return await this.send<Row>(client, this.queryOf(statement, this.#session.connections.engine.nodes));
    } catch (error) {
      if (error instanceof Error && (!('severity' in error) || isReadOnlyServer(error))) broken = error;
      throw error;
    } finally {
      release(broken);
    }
  }

  /** @throws DatabaseUnavailable */
  private connect(): Promise<[PoolClient, (broken?: Error) => void]> {
    const { connections, tenantId, limits } = this.#session;
    return connections.take(tenantId, limits.connectionMs);
  }
}

/** @throws the reason of the signal, if it is aborted */
async function cancellable<R>(signal: AbortSignal, run: () => Promise<R>): Promise<R> {
  signal.throwIfAborted();
  try {
    return await run();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

function throwTranslated(error: unknown): never {
  throw translateError(error);
}
