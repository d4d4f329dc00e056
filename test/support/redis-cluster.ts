import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterOptions, joinCluster } from '../../scripts/temporary-redis.mjs';
import { freePort } from './command-line.js';
import { RedisProcess } from './redis-process.js';

/** A Redis Cluster on loopback, of primaries that a test can kill and start again. */
export class RedisCluster {
  private constructor(
    readonly nodes: readonly RedisProcess[],
    private readonly folder: string,
  ) {}

  /** @param options further ones of each node */
  static async start(count: number, options: readonly string[] = []): Promise<RedisCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-cluster-'));
    const started = Array.from({ length: count }, async (_, n) => {
      const busPort = await freePort();
      const file = ['--cluster-config-file', join(folder, `node${n}`)];
      return { busPort, node: await RedisProcess.start([...clusterOptions(busPort), ...file, ...options]) };
    });
    const nodes = await Promise.all(started);
    await joinCluster(nodes.map(({ busPort, node }) => ({ busPort, port: node.port })));
    return new RedisCluster(
      nodes.map(({ node }) => node),
      folder,
    );
  }

  /** The URL of the service, with a node that does not exist. */
  get url(): string {
    return `redis+cluster://127.0.0.1:1,${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.folder, { recursive: true });
  }
}
