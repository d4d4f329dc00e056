import type { NodemailerError } from 'nodemailer/lib/errors';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/** An error of nodemailer: the refusal of the server, or why the connection was lost. */
export type SmtpFailure = Error & Partial<NodemailerError>;

/** The result of a step, or its failure. */
export interface StepResult<T> {
  readonly result?: T | undefined;
  readonly failure?: SmtpFailure | undefined;
}

type Done<T> = (failure?: SmtpFailure | null, result?: T) => void;

/** nodemailer's code for a timeout. */
export const TIMED_OUT = 'ETIMEDOUT';

/** A connection of nodemailer with promises. Every step ends, also those whose callback nodemailer never calls. */
export class SmtpDialogue {
  private failure: SmtpFailure | undefined;
  private deadline: NodeJS.Timeout | undefined;

  constructor(private readonly connection: SMTPConnection) {
    connection.on('error', (error: SmtpFailure) => (this.failure ??= error));
  }

  get isOpen(): boolean {
    return !this.connection.destroyed;
  }

  /** Runs one step; only one at a time. If it takes longer than `timeoutMs`, the connection is closed. */
  step<T>(work: (done: Done<T>) => void, timeoutMs: number): Promise<StepResult<T>> {
    return new Promise((resolve) => {
      this.startDeadline(timeoutMs);
      const done: Done<T> = (failure, result) => {
        clearTimeout(this.deadline);
        this.connection.off('end', ended);
        resolve(failure ? { failure } : { result });
      };
      // The callback comes right after the end of the connection, and its error says more.
      const ended = () => setImmediate(() => done(this.failure ?? new Error('it was closed')));
      this.connection.once('end', ended);
      work(done);
    });
  }

  /** Gives the running step `timeoutMs` from now. */
  extend(timeoutMs: number): void {
    clearTimeout(this.deadline);
    this.startDeadline(timeoutMs);
  }

  private startDeadline(timeoutMs: number): void {
    this.deadline = setTimeout(() => this.expire(), Math.max(1, timeoutMs));
  }

  private expire(): void {
    this.failure ??= Object.assign(new Error('the server did not reply in time'), { code: TIMED_OUT });
    this.connection.close();
  }
}
