import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replicas } from '#database/replicas/replicas.js';

/** Tells how near the replicas are, and how much is read from them; nothing where there are none. */
export function measureReplicas(replicas: Replicas | null, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'parley_replica_in_use',
    help: 'Whether reads go to a replica: 1, or 0 while it is left out.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { server, leftOut } of replicas?.all ?? [])
        this.set({ replica: server }, leftOut === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'parley_replica_lag_seconds',
    help: 'By how much a replica is behind at most; left out while that is unknown.',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { server, lagSeconds } of replicas?.all ?? [])
        if (lagSeconds !== Infinity) this.set({ replica: server }, lagSeconds);
    },
  });
  new Counter({
    name: 'parley_replica_statements_total',
    help: 'Statements of requests that may read from replicas, by the server that they went to.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, count] of replicas?.statements ?? []) this.inc({ server }, count);
    },
  });
  new Counter({
    name: 'parley_replica_fallbacks_total',
    help: 'Requests that went to the primary for want of a replica, and statements that a replica failed.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of replicas?.fallbacks ?? []) this.inc({ reason }, count);
    },
  });
}
