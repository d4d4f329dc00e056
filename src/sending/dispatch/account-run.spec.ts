import fc from 'fast-check';
import { LoginRefused, ProviderUnavailable, SmtpUnavailable } from '@outreach/mail-sessions';
import { type Mailbox, type MailboxCredentials, PROVIDERS } from '../../email-accounts/index.js';
import { Log } from '@outreach/logging';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SendDecision, Wait } from '../results/index.js';
import { MessagePipeline, type SendAttempt } from '../pipeline.js';
import { ServerExperience, type Transport } from '../transports/index.js';
import { AccountRun } from './account-run.js';
import type { ClaimedMessage } from './claim.queries.js';
import { RunClaims } from './run-claims.js';
import type { RunDependencies } from './run-context.js';
import type { RunEnd } from './run-end.js';
import { SlowSends } from './slow-sends.js';

const SEED = 20_261_128;
const MAX_CONNECTIONS = 5;
/** Longer than a run waits for a server. */
const SLOW_MS = 6_000;

/** More than any order needs. */
const MAX_STEPS = 1_000;

const scope = { workspace_id: 1, clock: { now: () => new Date('2026-11-23T12:00:00Z') } } as unknown as WorkspaceScope;
const ACCOUNT = 7;
const log = new Log('silent');

/** How a server treats one connection before MAIL. */
const OPENINGS = {
  serves: null,
  'hangs up': new SmtpUnavailable('It hangs up.', {}),
  'refuses the session': new SmtpUnavailable('421 4.7.0 too many connections', {
    reply: { code: 421, enhanced: '4.7.0', response: '421 4.7.0 too many connections', phase: 'connection' },
  }),
  'has no token': new ProviderUnavailable('The token endpoint does not respond.'),
  'refuses the login': new LoginRefused('The server refused the user name and password.'),
} as const;

/** How it treats one message. */
const DECISIONS: Readonly<Record<string, SendDecision>> = {
  accepted: { kind: 'sent' },
  'dead address': { kind: 'bounced', bounce: { type: 'hard', code: '5.1.1', message: 'no such user' } },
  greylisted: { kind: 'later', minutes: 5, bounce: { type: 'soft', code: '4.7.1', message: 'try again' } },
  limited: { kind: 'limited', limit: 'day' },
  'lost after the final dot': { kind: 'uncertain' },
};

/** One message as the tables show it. */
interface Row {
  readonly id: number;
  state: 'due' | 'claimed' | 'sending' | 'waits' | 'sent' | 'ended' | 'uncertain';
  reason: string | null;
  attempts: number;
}

type Opening = keyof typeof OPENINGS;

/** What a server does, and in which order. */
interface Plan {
  readonly messages: number;
  /** How it treats one connection after the other. */
  readonly openings?: readonly Opening[];
  /** How it treats all later ones; it serves them by default. */
  readonly last?: Opening;
  /** How it treats one message after the other; it accepts all others. */
  readonly decisions?: readonly string[];
  /** How many sessions it takes at the same time; any number by default. */
  readonly sessions?: number;
  /** Which of the steps that wait ends next, or that time passes. */
  readonly order: readonly number[];
}

/** An account with due messages, and a server whose replies come in an order that the test draws. */
class RunFixture {
  readonly rows: Row[];
  readonly leased = new Set<number>();
  readonly ends: RunEnd[] = [];
  readonly slowSends = new SlowSends(log);
  readonly servers = new ServerExperience();
  /** How many messages were transmitted, or had a connection that could not be opened. */
  tries = 0;
  private sessions = 0;
  private readonly pending: (() => void)[] = [];

  private readonly openings: Opening[];
  private readonly decisions: string[];
  private readonly order: number[];

  constructor(private readonly plan: Plan) {
    this.rows = Array.from({ length: plan.messages }, (_, index) => ({
      ...{ id: index + 1, state: 'due', reason: null, attempts: 0 },
    }));
    this.openings = [...(plan.openings ?? [])];
    this.decisions = [...(plan.decisions ?? [])];
    this.order = [...plan.order];
  }

  /** Ends at a step that {@link drive} draws. */
  private step(): Promise<void> {
    return new Promise((resolve) => this.pending.push(resolve));
  }

  private row(id: number): Row {
    const row = this.rows[id - 1];
    if (!row) throw new Error(`There is no message ${id}.`);
    return row;
  }

  private readonly claim = async (_scope: unknown, _account: unknown, _worker: unknown, limit: number) => {
    await this.step();
    const due = this.rows.filter(({ state }) => state === 'due').slice(0, limit);
    if (due.length === 0) return { kind: 'none' } as const;
    for (const row of due) Object.assign(row, { state: 'claimed', reason: null });
    return { kind: 'claimed', messages: due.map(claimed), is_only_worker: true } as const;
  };

  private readonly results = {
    available: () => Promise.resolve(),
    record: async (_scope: unknown, { id }: { id: number }, decision: SendDecision) => {
      await this.step();
      const row = this.row(id);
      if (decision.kind === 'untaken' && row.state === 'claimed') row.attempts += 1;
      Object.assign(row, stateAfter(decision));
      if (decision.kind === 'limited') row.attempts -= 1;
    },
    requeue: async (_scope: unknown, ids: readonly number[], wait?: Wait) => {
      await this.step();
      for (const row of ids.map((id) => this.row(id))) {
        if (wait?.refundsAttempt && row.state === 'sending') row.attempts -= 1;
        Object.assign(row, { state: 'due', reason: wait?.reason ?? null });
      }
    },
  };

  private readonly parts: { readonly [Part in keyof RunDependencies]: Partial<RunDependencies[Part]> } = {
    results: this.results,
    servers: this.servers,
    slowSends: this.slowSends,
    leases: { release: (id) => this.leased.delete(id) },
    transactions: { whileBusy: (work) => work() },
    transports: {
      acquire: async () => {
        await this.step();
        const isFull = this.sessions >= (this.plan.sessions ?? Infinity);
        const error = OPENINGS[isFull ? 'refuses the session' : (this.openings.shift() ?? this.plan.last ?? 'serves')];
        if (error) this.tries += 1;
        if (error) throw error;
        this.sessions += 1;
        return transport();
      },
      release: () => (this.sessions -= 1),
      closeIdle: () => undefined,
    },
    pipeline: this.pipeline(),
  };

  /** The real pipeline, with steps of the test. */
  private pipeline(): MessagePipeline {
    const pipeline = new MessagePipeline({} as never, {} as never, this.results as never);
    return Object.assign(pipeline, {
      requireVariables: () => undefined,
      compose: () => undefined,
      checkSchedule: () => undefined,
      checkPreflight: async ({ message }: SendAttempt) => {
        await this.step();
        Object.assign(this.row(message.id), { state: 'sending', attempts: message.attempts + 1 });
      },
      transmit: async ({ message }: SendAttempt) => {
        await this.step();
        this.tries += 1;
        const decision = DECISIONS[this.decisions.shift() ?? 'accepted'];
        if (!decision) throw new Error(`Message ${message.id} has no decision.`);
        return decision;
      },
    });
  }

  /** Lets the steps that wait end one after the other, or time pass, as `order` says, until `work` has ended. */
  private async drive(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = (): unknown => (isOver = true);
    work.then(end, end);
    const isDone = async (): Promise<boolean> => {
      await microtasks();
      return isOver;
    };
    for (let step = 0; !(await isDone()); step += 1) {
      if (step > MAX_STEPS) throw new Error('Nothing ends what is waited for.');
      const choice = (this.order.shift() ?? 0) % (this.pending.length + 1);
      const [next] = this.pending.splice(choice, 1);
      if (next) next();
      else jest.advanceTimersByTime(SLOW_MS);
    }
    await work;
  }

  /** One run of the account, as the engine begins and settles it. @returns its end */
  async run(): Promise<RunEnd | undefined> {
    jest.advanceTimersByTime(1);
    const otherConnections = this.slowSends.connections(scope, ACCOUNT);
    const maxConnections = Math.min(
      MAX_CONNECTIONS - this.slowSends.openings(scope, ACCOUNT),
      this.servers.maxSessions({ scope, account_id: ACCOUNT }) - otherConnections,
    );
    if (maxConnections <= 0) {
      await this.drive(this.slowSends.nextFree(scope, ACCOUNT));
      return undefined;
    }
    const context = { scope, account_id: ACCOUNT, provider: PROVIDERS.smtp, sender: {} as never } as const;
    const leases = { acquire: (id: number) => this.leased.add(id), release: (id: number) => this.leased.delete(id) };
    const claims = new RunClaims(
      { ...context, leases, results: this.results },
      { claim: this.claim, releaseAccount: () => Promise.resolve(this.isDue) },
    );
    const mailbox = { is_one_by_one: false, credentials: {} as MailboxCredentials } as Mailbox;
    const options = {
      ...{ maxConnections, otherConnections, log },
      stopping: new AbortController().signal,
      settleLate: (end: RunEnd) => Promise.resolve(this.settle(end)),
    };
    const run = new AccountRun(
      { ...context, mailbox, claims },
      this.parts as unknown as RunDependencies,
      options,
    ).run();
    await this.drive(run);
    this.settle(await run);
    return run;
  }

  get isDue(): boolean {
    return this.rows.some(({ state }) => state === 'due');
  }

  /** As `SendingEngine.settle`: what is due waits for what has ended the run. */
  private settle(end: RunEnd): void {
    this.ends.push(end);
    const reason = { done: null, more: null, limited: 'provider_limit', 'login refused': 'account_inactive' };
    const waits = end.kind === 'unavailable' ? 'temporary_failure' : reason[end.kind];
    if (waits === null) return;
    for (const row of this.rows) if (row.state === 'due') Object.assign(row, { state: 'waits', reason: waits });
  }

  /** Runs until nothing is due and nothing is waited for. @returns how many runs it took */
  async drain(): Promise<number> {
    let runs = 0;
    while (this.isDue || this.slowSends.size(scope, ACCOUNT) > 0) {
      if (++runs > 20 + 4 * this.rows.length) throw new Error('Runs follow each other without end.');
      if (this.isDue) await this.run();
      else await this.drive(this.slowSends.nextFree(scope, ACCOUNT));
    }
    await this.drive(microtasks());
    return runs;
  }
}

const claimed = ({ id, attempts }: Row): ClaimedMessage =>
  ({ id, attempts, body: '', contact: { email: `${id}@example.com` } }) as unknown as ClaimedMessage;

const transport = (): Transport => ({
  isOpen: true,
  hasSession: true,
  send: () => Promise.reject(new Error('The sender of the test transmits.')),
  close: () => undefined,
});

function stateAfter(decision: SendDecision): Pick<Row, 'state' | 'reason'> {
  switch (decision.kind) {
    case 'sent':
      return { state: 'sent', reason: null };
    case 'later':
      return { state: 'waits', reason: 'temporary_failure' };
    case 'untaken':
      return decision.minutes === undefined
        ? { state: 'ended', reason: decision.reason }
        : { state: 'waits', reason: 'temporary_failure' };
    case 'limited':
      return { state: 'waits', reason: 'provider_limit' };
    case 'uncertain':
      return { state: 'uncertain', reason: null };
    default:
      return { state: 'ended', reason: decision.kind };
  }
}

/** Resolves when everything has happened that waits for nothing but promises. */
async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const opening = fc.constantFrom(...(Object.keys(OPENINGS) as Opening[]));
const order = fc.array(fc.nat({ max: 1_000 }), { maxLength: 60 });
const plans: fc.Arbitrary<Plan> = fc.record({
  messages: fc.integer({ min: 1, max: 8 }),
  openings: fc.array(opening, { maxLength: 12 }),
  last: opening,
  decisions: fc.array(fc.constantFrom(...Object.keys(DECISIONS)), { maxLength: 12 }),
  order,
});
const smallServers: fc.Arbitrary<Plan> = fc.record({
  messages: fc.integer({ min: 1, max: 12 }),
  sessions: fc.integer({ min: 1, max: 4 }),
  order,
});

describe('the runs of an account', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('leave each message sent, refused, uncertain, or waiting with a reason, in any order of what happens', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const fixture = new RunFixture(plan);
        await fixture.drain();
        expect(
          fixture.rows.filter(({ state }) => state === 'due' || state === 'claimed' || state === 'sending'),
        ).toEqual([]);
        expect(fixture.rows.filter(({ state, reason }) => state === 'waits' && reason === null)).toEqual([]);
        expect([...fixture.leased]).toEqual([]);
        expect(fixture.rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(fixture.tries);
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  it('send each message at its first attempt through a server that takes few sessions, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(smallServers, async (plan) => {
        const fixture = new RunFixture(plan);
        await fixture.drain();
        expect(fixture.rows).toEqual(fixture.rows.map((row) => ({ ...row, state: 'sent', attempts: 1 })));
      }),
      { seed: SEED, numRuns: 400 },
    );
  });
});
