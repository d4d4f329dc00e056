import { type ErasedRows, withoutRowsAbout } from './erased-rows.js';

const subject = { contact_id: 1, email: 'ann@x.example', texts: ['ann@x.example'], names: ['ann', 'lee'] };

/** Runs the work to its end. @returns its result, and how often it can be interrupted */
function finish(work: Generator<undefined, ErasedRows>): ErasedRows & { readonly steps: number } {
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done) return { ...step.value, steps };
  }
}

describe('withoutRowsAbout', () => {
  it('leaves out the rows that tell of a person, and returns their numbers', () => {
    const rows = ['bob@x.example,7,email,no\n', 'ann@x.example,3,email,no\n'];
    const named = ['"two\nlines",8,email,no\n', '"Lee, Ann",5,name,no\n'];
    expect(finish(withoutRowsAbout(subject, [...rows, ...named].join('')))).toEqual({
      remaining: 'bob@x.example,7,email,no\n"two\nlines",8,email,no\n',
      numbers: new Set([3, 5]),
      steps: 4,
    });
  });

  it('can be interrupted after each of very many rows', () => {
    const rows = Array.from({ length: 5_000 }, (_, number) => `ann@x.example,${number},email,no\n`);
    const { remaining, numbers, steps } = finish(withoutRowsAbout(subject, rows.join('')));
    expect([remaining, numbers.size, steps]).toEqual(['', 5_000, 5_000]);
  });
});
