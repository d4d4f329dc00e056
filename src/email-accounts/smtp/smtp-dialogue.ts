import type { NodemailerError } from 'nodemailer/lib/errors';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

/** What nodemailer says of a failure: the server's refusal, or what ended the connection. */
export type SmtpFailure = Error & Partial<NodemailerError>;

/** How a step went; without a failure it went well. */
export interface StepResult<T> {
  readonly result?: T | undefined;
  readonly failure?: SmtpFailure | undefined;
}

type Done<T> = (failure?: SmtpFailure | null, result?: T) => void;

/** nodemailer's own code for what took too long. */
export const TIMED_OUT = 'ETIMEDOUT';

/** nodemailer's connection step by step. Each step comes to an end: nodemailer forgets callbacks of a lost connection. */
export class SmtpDialogue {
  private failure: SmtpFailure | undefined;

  constructor(private readonly connection: SMTPConnection) {
    connection.on('error', (error: SmtpFailure) => (this.failure ??= error));
  }

  get isOpen(): boolean {
    return !this.connection.destroyed;
  }

  /** Runs one step. The connection is ended where that takes longer than `timeoutMs`. */
  step<T>(work: (done: Done<T>) => void, timeoutMs: number): Promise<StepResult<T>> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.expire(), Math.max(1, timeoutMs));
      const done: Done<T> = (failure, result) => {
        clearTimeout(deadline);
        this.connection.off('end', ended);
        resolve(failure ? { failure } : { result });
      };
      // A callback knows more than the end of the connection does, and comes right after it.
      const ended = () => setImmediate(() => done(this.failure ?? new Error('it was closed')));
      this.connection.once('end', ended);
      work(done);
    });
  }

  private expire(): void {
    this.failure ??= Object.assign(new Error('no answer in time'), { code: TIMED_OUT });
    this.connection.close();
  }
}
