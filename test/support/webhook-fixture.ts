import type { ApiResponse, ApiClient } from './api-client.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';
import { type ReceivedWebhook, type Reply, TRUSTING_RECEIVERS, WebhookReceiver } from './webhook-receiver.js';
import { WorkerProcess } from './worker-process.js';

const TIMEOUT_SECONDS = 90;

/** Faults are what is tested: the log of the workers would be full of them. */
const WORKER_ENV = { ...TRUSTING_RECEIVERS, LOG_LEVEL: 'silent' };

/** Failures are retried soon, and pause nothing. */
export const FAST_RETRIES = { WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1', WEBHOOK_PROBE_SCHEDULE: 'none' };

/** A webhook, and where its deliveries arrive. */
export interface Hook {
  readonly id: number;
  readonly path: string;
}

type ReplyTo = (request: ReceivedWebhook) => Reply;

/** A workspace whose webhooks are delivered to one receiver, by workers in processes of their own. */
export class WebhookFixture {
  workers: WorkerProcess[] = [];
  private readonly replies = new Map<string, ReplyTo>();
  private numbered = 0;

  private constructor(
    private readonly service: TestService,
    readonly receiver: WebhookReceiver,
    readonly api: ApiClient,
  ) {
    receiver.reply = (request) => this.replies.get(request.path)?.(request) ?? {};
  }

  static async start(service: TestService): Promise<WebhookFixture> {
    return new WebhookFixture(service, await WebhookReceiver.start(), await service.client());
  }

  /** Leaves nothing for the next test. */
  async clear(): Promise<void> {
    await this.stopWorkers();
    await this.receiver.stop();
    await this.service.database.query('TRUNCATE webhook_logs, webhook_events');
    await this.service.database.query('DELETE FROM webhooks');
  }

  async subscribe(event: string, reply: ReplyTo = () => ({})): Promise<Hook> {
    const path = `/hook/${(this.numbered += 1)}`;
    const { status, body } = await this.api.post('/webhooks', { url: this.receiver.url(path), events: [event] });
    if (status !== 201) throw new Error(JSON.stringify(body));
    this.replies.set(path, reply);
    return { id: body.data.id, path };
  }

  /** New contacts: an event each. */
  async contacts(count: number): Promise<void> {
    const { status, body } = await this.import(count);
    if (status !== 200 || body.data.imported !== count) throw new Error(JSON.stringify(body));
  }

  /** Asks for as many new contacts, in one import. */
  import(count: number, api = this.api): Promise<ApiResponse> {
    this.numbered += 1;
    const lines = Array.from({ length: count }, (_, n) => `person${this.numbered}-${n}@example.com`);
    const form = new FormData();
    form.append('file', new Blob([`email\n${lines.join('\n')}`], { type: 'text/csv' }), 'contacts.csv');
    return api.post('/contacts/import', form);
  }

  async startWorkers(count: number, env: Record<string, string> = FAST_RETRIES): Promise<void> {
    const starting = Array.from({ length: count }, () => WorkerProcess.start(this.service, { ...WORKER_ENV, ...env }));
    // One that fails leaves none behind that nobody stops.
    const started = await Promise.allSettled(starting);
    for (const start of started) if (start.status === 'fulfilled') this.workers.push(start.value);
    for (const start of started) if (start.status === 'rejected') throw start.reason;
  }

  /** Lets all workers finish what they have in hand. Gives their exit codes. */
  async stopWorkers(): Promise<(number | null)[]> {
    const codes = await Promise.all(this.workers.map((worker) => worker.stop()));
    this.workers = [];
    return codes;
  }

  /** Kills all workers. They are missed some seconds later; here at once. */
  async killWorkers(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    this.workers = [];
    await this.endLeases();
  }

  /** As when the time of those that are not renewed is over. */
  async endLeases(): Promise<void> {
    await this.service.database.query('UPDATE webhooks SET lease_until = now()');
  }

  /** Resolves when all deliveries have ended, well or not. */
  async waitUntilIdle(): Promise<void> {
    await eventually(async () => {
      const waiting = await this.service.database.query('SELECT attempts, next_attempt_at FROM webhook_deliveries');
      if (waiting.length > 0) throw new Error(`${waiting.length} wait: ${JSON.stringify(waiting.slice(0, 3))}`);
    }, TIMEOUT_SECONDS);
  }

  /** The deliveries that have arrived, as often as they have. */
  arrivals({ path }: Hook): string[] {
    return this.receiver.at(path).map(({ headers }) => String(headers['x-service-delivery']));
  }

  async webhook({ id }: Hook): Promise<any> {
    return (await this.api.get(`/webhooks/${id}`)).data;
  }

  /** All logs of a webhook, in the order in which they were written. */
  logs({ id }: Hook) {
    return this.service.database.query<{ attempt: number; success: boolean; delivery_id: string; status_code: number }>(
      'SELECT attempt, success, delivery_id, status_code FROM webhook_logs WHERE webhook_id = $1 ORDER BY id',
      [id],
    );
  }
}
