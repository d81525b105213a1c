import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { knownVariables } from '../../src/config/config.js';
import type { Json } from '../support/clients/client.js';
import { needs } from '../support/needs.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, 'docker', name), 'utf8');
const compose = parse(read('compose.yml'), { merge: true });
const ours: Json[] = [compose.services.api, compose.services.worker];

describe('docker/compose.yml', () => {
  it('has PostgreSQL, Redis, an API and a worker, and these wait for those to be well', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['api', 'postgres', 'redis', 'worker']);
    for (const { depends_on } of ours)
      for (const name of ['postgres', 'redis']) {
        expect(depends_on[name].condition).toBe('service_healthy');
        expect(compose.services[name].healthcheck.test).toBeDefined();
      }
  });

  it('builds what is there, runs what the build makes and mounts volumes that it names', () => {
    for (const { build, command } of ours) {
      expect(existsSync(join(ROOT, 'docker', build.context, build.dockerfile))).toBe(true);
      if (command) expect(existsSync(join(ROOT, command.at(-1)))).toBe(true);
    }
    const mounted = Object.values<Json>(compose.services).flatMap(({ volumes = [] }) => volumes);
    for (const volume of mounted) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  it('sets variables that are read, and gives the API time to drain', () => {
    for (const { environment, stop_grace_period } of ours) {
      for (const name of Object.keys(environment)) expect(knownVariables()).toContain(name);
      expect(stop_grace_period).toBe('30s');
    }
  });

  it('keeps all that is put on the queue', () =>
    expect(compose.services.redis.command.join(' ')).toContain('--maxmemory-policy noeviction'));

  const client = spawnSync('docker', ['compose', 'version']).status === 0;
  needs('docker compose', client).it('is read by docker compose', () => {
    const env = { ...process.env, PARLEY_SECRET_KEY: '0'.repeat(64) };
    const { status, stderr } = spawnSync('docker', ['compose', '-f', 'docker/compose.yml', 'config', '-q'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('docker/Dockerfile', () => {
  it('copies what is there, runs as nobody special and says whether it is well', () => {
    const lines = read('Dockerfile').split('\n');
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(' ').slice(1, -1));
    for (const path of copied) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    expect(lines.filter((line) => line.startsWith('USER'))).toEqual(['USER node']);
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK .*\n?.*health\/ready/m);
    const [command] = lines.filter((line) => line.startsWith('CMD'));
    expect(existsSync(join(ROOT, JSON.parse(command!.slice(4)).at(-1)))).toBe(true);
  });
});
