import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { knownVariables } from '../../src/config/config.js';
import type { Json } from '../support/clients/client.js';
import { needs } from '../support/needs.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(ROOT, 'docker', name), 'utf8');
const compose = parse(read('compose.yml'), { merge: true });
const ours: Json[] = [compose.services.api, compose.services.worker];

describe('docker/compose.yml', () => {
  it('has PostgreSQL, Redis, a proxy, APIs and a worker, all of them started again, and these wait for those to be well', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['api', 'postgres', 'proxy', 'redis', 'worker']);
    for (const { restart } of Object.values<Json>(compose.services)) expect(restart).toBe('unless-stopped');
    for (const { depends_on } of ours)
      for (const name of ['postgres', 'redis']) {
        expect(depends_on[name].condition).toBe('service_healthy');
        expect(compose.services[name].healthcheck.test).toBeDefined();
      }
  });

  it('has a name of its own, and no secret', () => {
    expect(compose.name).toBe('parley');
    expect(read('compose.yml')).not.toMatch(/(PASSWORD|KEY): '?[\w]/);
  });

  it('builds what is there, runs what the build makes and mounts volumes that it names', () => {
    for (const { build, command } of ours) {
      expect(existsSync(join(ROOT, 'docker', build.context, build.dockerfile))).toBe(true);
      if (command) expect(existsSync(join(ROOT, command.at(-1)))).toBe(true);
    }
    const mounted = Object.values<Json>(compose.services).flatMap(({ volumes = [] }) => volumes);
    for (const volume of mounted) {
      const [from] = volume.split(':');
      if (from.startsWith('.')) expect([from, existsSync(join(ROOT, 'docker', from))]).toEqual([from, true]);
      else expect(Object.keys(compose.volumes)).toContain(from);
    }
  });

  it('sets variables that are read, and gives the API time to drain', () => {
    for (const { environment, env_file, stop_grace_period } of ours) {
      for (const name of Object.keys(environment)) expect(knownVariables()).toContain(name);
      expect(env_file).toBe('parley.env');
      expect(stop_grace_period).toBe('30s');
    }
    const example = read('parley.env.example').match(/^\w+(?==)/gm)!;
    const known = [...knownVariables(), 'POSTGRES_PASSWORD'];
    for (const name of example) expect(known).toContain(name);
  });

  it('believes its proxy from where a request came', () => {
    const [{ subnet }] = compose.networks.default.ipam.config;
    expect(compose.services.api.environment.TRUSTED_PROXIES).toBe(subnet);
    expect(read('haproxy.cfg')).toContain('option forwardfor');
  });

  it('keeps all that is put on the queue', () =>
    expect(compose.services.redis.command.join(' ')).toContain('--maxmemory-policy noeviction'));

  const client = spawnSync('docker', ['compose', 'version']).status === 0;
  needs('docker compose', client).it('is read by docker compose', () => {
    const env = { ...process.env, POSTGRES_PASSWORD: 'x' };
    const { status, stderr } = spawnSync('docker', ['compose', '-f', 'docker/compose.yml', 'config', '-q'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('docker/haproxy.cfg', () => {
  const has = spawnSync('haproxy', ['-v']).status === 0;
  needs('haproxy', has).it('is read by HAProxy', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', 'docker/haproxy.cfg'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('asks each API whether it is ready, at the port on which it listens', () => {
    expect(read('haproxy.cfg')).toContain('httpchk GET /health/ready');
    expect(read('haproxy.cfg')).toMatch(/^ *server-template api \d+ api:3000$/m);
  });
});

describe('docker/kubernetes', () => {
  const manifests: Json[] = parseAllDocuments(read('kubernetes/parley.yaml')).map((one) => one.toJSON());
  const of = (kind: string) => manifests.filter((one) => one.kind === kind);

  it('has a deployment for each half, which runs what the build makes, with probes of routes that are there', () => {
    expect(of('Deployment').map(({ metadata }) => metadata.name)).toEqual(['parley-api', 'parley-worker']);
    for (const { spec } of of('Deployment')) {
      const [container] = spec.template.spec.containers;
      expect(existsSync(join(ROOT, container.command.at(-1)))).toBe(true);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(['/health/live', '/health/ready']).toContain(container[probe].httpGet.path);
        expect(container.ports.map(({ name }: Json) => name)).toContain(container[probe].httpGet.port);
      }
    }
  });

  it('selects the pods that there are, in services, budgets and scaling', () => {
    const labels = of('Deployment').map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of of('Deployment')) expect(labels).toContainEqual(spec.selector.matchLabels);
    for (const { spec } of of('Service')) expect(labels).toContainEqual(spec.selector);
    for (const { spec } of of('PodDisruptionBudget'))
      expect(labels).toContainEqual(spec.selector.matchLabels);
    const names = of('Deployment').map(({ metadata }) => metadata.name);
    for (const { spec } of of('HorizontalPodAutoscaler')) expect(names).toContain(spec.scaleTargetRef.name);
  });

  it('keeps the variables that Kubernetes makes of services out, which would be taken for settings', () => {
    for (const { spec } of of('Deployment')) expect(spec.template.spec.enableServiceLinks).toBe(false);
  });

  it('sets variables that are read, and secrets only by reference', () => {
    expect(of('Secret')).toEqual([]);
    const own = of('Deployment').flatMap(({ spec }) => spec.template.spec.containers[0].env);
    const names = [
      ...own.map(({ name }) => name),
      ...of('ConfigMap').flatMap(({ data }) => Object.keys(data)),
    ];
    for (const name of names) expect(knownVariables()).toContain(name);
    for (const { spec } of of('Deployment'))
      expect(spec.template.spec.containers[0].envFrom).toContainEqual({ secretRef: { name: 'parley' } });
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
