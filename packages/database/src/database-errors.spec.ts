import { DatabaseError } from 'pg';
import { isRetryable, onConstraint, translateError } from './database-errors.js';

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
