import { DatabaseError } from 'pg';
import { DatabaseUnavailable, isRetryable, NodeUnavailable, onConstraint, translateError } from './database-errors.js';

/** As the coordinator of several nodes reports what a node says of a row that is copied to it. */
const ofCopiedRow = (message: string): DatabaseError =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code: 'XX000' });

describe('the error of a row that is copied to a node', () => {
  it('is the one that is declared for the constraint of the table', () => {
    const taken = new Error('The name is taken.');
    onConstraint('name_taken', () => taken);
    const error = ofCopiedRow('duplicate key value violates unique constraint "name_taken_102008"');
    expect(translateError(error)).toBe(taken);
  });

  it('has the code that says that the transaction may succeed', () => {
    const error = ofCopiedRow('deadlock detected');
    expect([translateError(error), isRetryable(error)]).toEqual([error, true]);
  });

  it('stays as it is if its words say nothing', () => {
    expect(translateError(ofCopiedRow('something else'))).toMatchObject({ code: 'XX000' });
  });
});

const reported = (code: string, file: string, message: string): DatabaseError =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code, file });

/** As a coordinator of Citus 13 reports them. */
const OF_NODES: readonly (readonly [code: string, file: string, message: string])[] = [
  ['08006', 'remote_commands.c', 'connection to the remote node a@10.0.0.2:5432 failed with the following error: …'],
  ['08006', 'adaptive_executor.c', 'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms'],
  ['57P01', 'remote_commands.c', 'terminating connection due to administrator command'],
  ['53300', 'remote_commands.c', 'sorry, too many clients already'],
  ['XX000', 'remote_commands.c', 'server closed the connection unexpectedly\n\tThis probably means …'],
  ['XX000', 'remote_transaction.c', 'failure on connection marked as essential: 10.0.0.2:5432'],
  ['XX000', 'placement_connection.c', 'could not commit transaction for shard 102008 on at least one active node'],
];

describe('the error of a node that is away', () => {
  it.each(OF_NODES)('says that a node is not available: %s of %s', (...error) => {
    expect(translateError(reported(...error))).toBeInstanceOf(NodeUnavailable);
  });

  it.each([
    ['57P01', 'postgres.c', 'terminating connection due to administrator command'],
    ['53300', 'proc.c', 'sorry, too many clients already'],
    ['08P01', 'pooler.c', 'server conn crashed?'],
  ])('says that the server of the connection is not available: %s', (...error) => {
    const translated = translateError(reported(...error));
    expect(translated).toBeInstanceOf(DatabaseUnavailable);
    expect(translated).not.toBeInstanceOf(NodeUnavailable);
  });

  it('leaves an error of a node as it is that is about the statement', () => {
    const error = reported('XX000', 'remote_commands.c', 'cache lookup failed for relation 16384');
    expect(translateError(error)).toBe(error);
  });
});
