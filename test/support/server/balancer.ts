import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client, type Sent } from '../clients/client.js';
import { isReady } from './server.js';

const POLL_MS = 100;

/**
 * Sends each request to the next of several processes, as a load balancer does: those whose readiness is away get none,
 * and a request for which no connection could be made goes to another, since nobody has seen it.
 */
export class Balancer {
  private ready: string[] = [];
  private turn = 0;
  private watching = true;
  private readonly watch: Promise<void>;

  constructor(readonly urls: Set<string>) {
    this.watch = (async () => {
      while (this.watching) {
        await this.look();
        await sleep(POLL_MS);
      }
    })();
  }

  async send(method: string, path: string, sent: Sent): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      while (this.ready.length === 0) await sleep(10);
      const url = this.ready[this.turn++ % this.ready.length]!;
      try {
        return await new Client(url, '').send(method, path, sent);
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (code !== 'ECONNREFUSED' || attempt === 5) throw error;
      }
    }
  }

  async close(): Promise<void> {
    this.watching = false;
    await this.watch;
  }

  private async look(): Promise<void> {
    const looked = await Promise.all([...this.urls].map(async (url) => ((await isReady(url)) ? [url] : [])));
    this.ready = looked.flat();
  }
}
