import { TooManyRequests } from '../errors/index.js';
import { Turns, TurnsOfEach } from './index.js';

/** Pieces of work that end when they are told to. */
class Works {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (failure?: Error) => void>();

  of = (name: string) => (): Promise<string> => {
    this.started.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  };

  /** Ends one, and lets everything happen that follows from it. */
  async end(name: string, failure?: Error): Promise<void> {
    this.ends.get(name)?.(failure);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('Turns', () => {
  it('lets so many run at a time, in the order in which they came, whether they fail or not', async () => {
    const turns = new Turns(2);
    const works = new Works();
    const outcomes = ['a', 'b', 'c', 'd', 'e'].map((name) => outcomeOf(turns.take(works.of(name))));
    expect(works.started).toEqual(['a', 'b']);
    const failure = new Error('failed');
    await works.end('a', failure);
    expect(works.started).toEqual(['a', 'b', 'c']);
    await works.end('c');
    expect(works.started).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['b', 'd', 'e']) await works.end(name);
    expect(await Promise.all(outcomes)).toEqual([failure, 'b', 'c', 'd', 'e']);
    expect(await turns.take(async () => 'f')).toBe('f');
  });

  it('gives a free turn to who waits, not to who comes at that moment', async () => {
    const turns = new Turns(1);
    const works = new Works();
    const all = [turns.take(works.of('first')), turns.take(works.of('waiting'))];
    const ended = works.end('first');
    all.push(turns.take(works.of('late')));
    await ended;
    expect(works.started).toEqual(['first', 'waiting']);
    await works.end('waiting');
    await works.end('late');
    expect(await Promise.all(all)).toEqual(['first', 'waiting', 'late']);
  });

  it('gives a turn back where work fails before it has begun to wait', async () => {
    const turns = new Turns(1);
    const failure = new Error('at once');
    const broken = (): Promise<never> => {
      throw failure;
    };
    expect(await outcomeOf(turns.take(broken))).toBe(failure);
    expect(await turns.take(async () => 'next')).toBe('next');
  });

  it('turns away who would be one too many to wait, and forgets about it', async () => {
    const turns = new Turns(1, 2);
    const works = new Works();
    const inTurn = ['a', 'b', 'c'].map((name) => turns.take(works.of(name)));
    expect(await outcomeOf(turns.take(works.of('too many')))).toBeInstanceOf(TooManyRequests);
    await works.end('a');
    inTurn.push(turns.take(works.of('d')));
    for (const name of ['b', 'c', 'd']) await works.end(name);
    expect(await Promise.all(inTurn)).toEqual(['a', 'b', 'c', 'd']);
    expect(works.started).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('TurnsOfEach', () => {
  it('lets nobody wait for the work of another', async () => {
    const turns = new TurnsOfEach<number>(1, 1);
    const works = new Works();
    const ours = [turns.take(1, works.of('our first')), turns.take(1, works.of('our second'))];
    expect(await outcomeOf(turns.take(1, works.of('our third')))).toBeInstanceOf(TooManyRequests);
    const theirs = [turns.take(2, works.of('their first')), turns.take(2, works.of('their second'))];
    expect(works.started).toEqual(['our first', 'their first']);
    await works.end('their first');
    expect(works.started).toEqual(['our first', 'their first', 'their second']);
    for (const name of ['their second', 'our first', 'our second']) await works.end(name);
    expect(await Promise.all([...ours, ...theirs])).toHaveLength(4);
  });

  it('keeps to its numbers for one key, however often that had nothing to do in between', async () => {
    const turns = new TurnsOfEach<string>(2);
    const works = new Works();
    for (const round of ['1', '2']) {
      const all = ['a', 'b', 'c'].map((name) => turns.take('key', works.of(name + round)));
      expect(works.started.filter((name) => name.endsWith(round))).toEqual([`a${round}`, `b${round}`]);
      await works.end(`b${round}`);
      expect(works.started.at(-1)).toBe(`c${round}`);
      all.push(turns.take('key', works.of(`d${round}`)));
      expect(works.started.at(-1)).toBe(`c${round}`);
      for (const name of ['a', 'c', 'd']) await works.end(name + round);
      await Promise.all(all);
    }
  });

  it('remembers nobody who has nothing to do, failed or was turned away', async () => {
    const turns = new TurnsOfEach<string>(1, 0);
    const works = new Works();
    const kept = (): number => Reflect.get<{ takers: Map<string, unknown> }, 'takers'>(turns as never, 'takers').size;
    const running = turns.take('key', works.of('a'));
    expect(await outcomeOf(turns.take('key', works.of('b')))).toBeInstanceOf(TooManyRequests);
    expect(kept()).toBe(1);
    expect(await outcomeOf(turns.take('key', works.of('c')))).toBeInstanceOf(TooManyRequests);
    await works.end('a');
    await running;
    expect(kept()).toBe(0);
    await outcomeOf(turns.take('key', () => Promise.reject(new Error('failed'))));
    expect(kept()).toBe(0);
  });
});
