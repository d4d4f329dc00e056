import type { ApiResponse, ApiClient } from './api-client.js';
import type { Schema } from './api-schemas.js';
import { eventually } from './eventually.js';
import { Given } from './given.js';
import { WorkerProcesses } from './service-process.js';
import type { TestService } from './service.js';
import { type ReceivedWebhook, type Reply, TRUSTING_RECEIVERS, WebhookReceiver } from './webhook-receiver.js';

/** Workers do not log: the tests cause errors on purpose. */
const WORKER_ENV = { ...TRUSTING_RECEIVERS, LOG_LEVEL: 'silent' };

/** Retries after a second, without pauses of the webhook. */
export const FAST_RETRIES = { WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1', WEBHOOK_PROBE_SCHEDULE: 'none' };

/** Worker processes that trust the receivers of the tests. */
export const deliveringWorkers = (service: TestService, env: Record<string, string> = FAST_RETRIES): WorkerProcesses =>
  new WorkerProcesses(service, { ...WORKER_ENV, ...env });

/** A webhook of the workspace. */
export interface Hook {
  readonly id: number;
  readonly secret: string;
  /** The path at which the receiver gets its deliveries. */
  readonly path: string;
}

/** A tuple if the length is a literal, so that its elements are known to exist. */
type ArrayOfLength<Length extends number, Item, Items extends Item[] = []> = number extends Length
  ? Item[]
  : Items['length'] extends Length
    ? Items
    : ArrayOfLength<Length, Item, [...Items, Item]>;

type ReplyTo = (request: ReceivedWebhook) => Reply;

/**
 * A workspace whose webhooks deliver to one receiver. The deliveries are made by a worker in this process
 * (`service.startWorker`), or by worker processes that the fixture starts, stops and kills.
 */
export class WebhookFixture {
  readonly given: Given;
  private ownWorkers: WorkerProcesses | undefined;
  private readonly replies = new Map<string, ReplyTo>();
  private numbered = 0;

  private constructor(
    private readonly service: TestService,
    readonly receiver: WebhookReceiver,
    readonly api: ApiClient,
    private readonly sharedWorkers: WorkerProcesses | undefined,
  ) {
    this.given = new Given(api, service.database);
    receiver.reply = (request) => this.replies.get(request.path)?.(request) ?? {};
  }

  /** @param workers processes that other tests use, too: {@link clear} does not stop them */
  static async start(service: TestService, workers?: WorkerProcesses): Promise<WebhookFixture> {
    return new WebhookFixture(service, await WebhookReceiver.start(), await service.client(), workers);
  }

  /** Deletes the webhooks, their deliveries and their logs, so that the next test starts empty. */
  async clear(): Promise<void> {
    await this.ownWorkers?.stop();
    // Repeated, because the worker of other tests may be recording the last deliveries, and locks the rows in another order.
    await eventually(() => this.service.database.query('DELETE FROM webhooks'));
    await this.receiver.stop();
    await eventually(() => this.service.database.query('TRUNCATE webhook_logs, webhook_events'));
  }

  /** Creates a webhook. @param reply the responses to its deliveries, 200 by default */
  async subscribe(
    events: string | readonly string[] = 'contact.created',
    reply: ReplyTo = () => ({}),
    fields: object = {},
  ): Promise<Hook> {
    const path = `/hook/${(this.numbered += 1)}`;
    const input = { url: this.receiver.url(path), events: [events].flat(), ...fields };
    const { status, body } = await this.api.post('/webhooks', input);
    if (status !== 201) throw new Error(JSON.stringify(body));
    this.replies.set(path, reply);
    return { id: body.data.id, secret: body.data.secret, path };
  }

  /** Imports new contacts, each of which causes one event. */
  async contacts(count: number): Promise<void> {
    const { status, body } = await this.import(count);
    if (status !== 200 || body.data.imported !== count) throw new Error(JSON.stringify(body));
  }

  /** Imports new contacts in one request. */
  import(count: number, api = this.api): Promise<ApiResponse> {
    this.numbered += 1;
    const lines = Array.from({ length: count }, (_, n) => `person${this.numbered}-${n}@example.com`);
    const form = new FormData();
    form.append('file', new Blob([`email\n${lines.join('\n')}`], { type: 'text/csv' }), 'contacts.csv');
    return api.post('/contacts/import', form);
  }

  /** Starts or stops worker processes until `count` are running. */
  async runWorkers(count: number, env: Record<string, string> = FAST_RETRIES): Promise<void> {
    this.ownWorkers ??= this.sharedWorkers ? undefined : deliveringWorkers(this.service, env);
    await this.workers?.run(count);
  }

  /** Stops all workers after their current deliveries. @returns their exit codes */
  async stopWorkers(): Promise<(number | null)[]> {
    return (await this.workers?.stop()) ?? [];
  }

  /** Kills all workers, and ends their leases immediately instead of some seconds later. */
  async killWorkers(): Promise<void> {
    await this.workers?.kill();
    await this.endLeases();
  }

  /** Ends all leases, as if they had expired. */
  async endLeases(): Promise<void> {
    // The last transactions of killed workers still run for a moment, and may lock the rows in another order.
    await eventually(() => this.service.database.query('UPDATE webhooks SET lease_until = now()'));
  }

  /** Waits until no delivery is left. */
  async waitUntilIdle(): Promise<void> {
    await eventually(() => this.expectNoneWaiting());
  }

  /** @throws Error if a delivery is left */
  async expectNoneWaiting(): Promise<void> {
    const waiting = await this.service.database.query('SELECT attempts, next_attempt_at FROM webhook_deliveries');
    if (waiting.length > 0) throw new Error(`${waiting.length} wait: ${JSON.stringify(waiting.slice(0, 3))}`);
  }

  /** Waits until the runs of all workers have ended and are recorded. */
  async waitUntilReleased(): Promise<void> {
    await eventually(async () =>
      expect(await this.service.database.query('SELECT id FROM webhooks WHERE leased_by IS NOT NULL')).toEqual([]),
    );
  }

  /** Returns the ID of each delivery that has arrived, once per arrival. */
  arrivals({ path }: Hook): string[] {
    return this.receiver.at(path).map(({ headers }) => String(headers['x-service-delivery']));
  }

  /**
   * Returns how many requests have arrived for which there is no log. A request that took longer than ten seconds, because
   * the machine is slow, has a log of its failure.
   */
  async unloggedArrivals(hook: Hook): Promise<number> {
    return this.arrivals(hook).length - (await this.logs(hook)).length;
  }

  async webhook({ id }: Hook): Promise<Schema<'Webhook'>> {
    return (await this.api.get(`/webhooks/${id}`)).data;
  }

  /** Waits until the receiver has this number of requests of a webhook. */
  received<Count extends number>({ path }: Hook, count: Count): Promise<ArrayOfLength<Count, ReceivedWebhook>> {
    return eventually(() => {
      expect(this.receiver.at(path)).toHaveLength(count);
      return this.receiver.at(path) as ArrayOfLength<Count, ReceivedWebhook>;
    });
  }

  /** Waits until a webhook has this number of logs. @returns them as the API lists them, the oldest first */
  logged<Count extends number>(hook: Hook, count: Count): Promise<ArrayOfLength<Count, Schema<'WebhookLog'>>> {
    return eventually(async () => {
      const all = await this.listedLogs(hook);
      expect(all).toHaveLength(count);
      return all as ArrayOfLength<Count, Schema<'WebhookLog'>>;
    });
  }

  /** Returns up to 100 logs of a webhook as the API lists them, the oldest first. */
  async listedLogs({ id }: Hook): Promise<Schema<'WebhookLog'>[]> {
    return (await this.api.get(`/webhooks/${id}/logs?per_page=100&direction=asc`)).data;
  }

  /** Returns the waiting deliveries of all webhooks: their attempts, and the seconds until the next attempt and of the pause. */
  waitingDeliveries() {
    return this.service.database.query<{ attempts: number; seconds: number; paused: number | null }>(
      `SELECT attempts, extract(epoch FROM next_attempt_at - $1::timestamptz)::float8 AS seconds,
         extract(epoch FROM paused_until - $1::timestamptz)::float8 AS paused
       FROM webhook_deliveries delivery
       JOIN webhooks webhook ON webhook.workspace_id = delivery.workspace_id AND webhook.id = delivery.webhook_id ORDER BY delivery.id`,
      [this.service.clocks.clockOf(this.api.workspaceId).now()],
    );
  }

  /** Returns all logs of a webhook from the database, in the order of their insertion. */
  logs({ id }: Hook) {
    return this.service.database.query<{ attempt: number; success: boolean; delivery_id: string; status_code: number }>(
      'SELECT attempt, success, delivery_id, status_code FROM webhook_logs WHERE webhook_id = $1 ORDER BY id',
      [id],
    );
  }

  private get workers(): WorkerProcesses | undefined {
    return this.sharedWorkers ?? this.ownWorkers;
  }
}
