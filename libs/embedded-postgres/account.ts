import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { dirname } from 'node:path';
import { DATA_DIR_VARIABLE, NAME, TITLE } from '#config/product.js';

interface Ids {
  uid: number;
  gid: number;
}

/** Who runs the PostgreSQL programs: ourselves (no `ids`), or, when we are root, the system account `ids`. */
export interface Account {
  ids?: Ids;
  /** Program and arguments to put before a command that cannot simply be spawned with `ids`. */
  wrapper: string[];
}

interface Command {
  file: string;
  args: string[];
  options: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
}

/**
 * The account for the PostgreSQL programs, which refuse to run as root. When we are root: the owner of existing data, else
 * `postgres`, `nobody` or a new system account. `program` and `dataDir` may be in directories that only root can enter,
 * such as /root; throws, naming the closed directory, when the account finds no way in.
 */
export function accountFor(program: string, dataDir: string, dataOwner: Ids | null): Account {
  const self = process.getuid?.();
  if (self !== 0) {
    if (dataOwner && dataOwner.uid !== self)
      throw new Error(
        `The data in ${dataDir} belong to user id ${dataOwner.uid}, but this process runs as ${self}. ` +
          `Run it as that user or as root, or set ${DATA_DIR_VARIABLE} to another directory.`,
      );
    return { wrapper: [] };
  }
  const ids = dataOwner && dataOwner.uid !== 0 ? dataOwner : systemAccount();
  const plain = { ids, wrapper: [] };
  const closed = firstClosed(plain, program, dataDir);
  if (closed === null) return plain;
  // The first capability grants less; containers often have only the second.
  for (const capability of ['dac_read_search', 'dac_override']) {
    const capable = { ids, wrapper: setpriv(ids, capability) };
    if (firstClosed(capable, program, dataDir) === null) return capable;
  }
  throw new Error(
    `PostgreSQL does not run as root, and user id ${ids.uid}, which runs it instead, cannot enter ${closed}. ` +
      `Start ${TITLE} as an ordinary user, or move it and ${DATA_DIR_VARIABLE} to directories that others may enter.`,
  );
}

/** How to spawn `program` under the account. It gets nothing of our environment, which may hold secrets. */
export function commandAs(account: Account, program: string, args: string[]): Command {
  const [file = program, ...rest] = [...account.wrapper, program, ...args];
  const ids = account.wrapper.length > 0 ? {} : account.ids;
  return { file, args: rest, options: { ...ids, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } } };
}

/**
 * Gives up root but keeps one capability, to enter directories closed to the account. PostgreSQL looks for its own programs
 * with access(2), which ignores capabilities unless `no_setuid_fixup` is set.
 */
function setpriv({ uid, gid }: Ids, capability: string): string[] {
  const only = `-all,+${capability}`;
  return [
    'setpriv',
    ...[
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--no-new-privs',
      '--securebits=+no_setuid_fixup',
    ],
    ...[`--inh-caps=${only}`, `--ambient-caps=${only}`, `--bounding-set=${only}`, '--'],
  ];
}

/** The first directory on the way to `program` and `dataDir` (or the program) that the account cannot use. */
function firstClosed(account: Account, program: string, dataDir: string): string | null {
  const script =
    'program=$1; shift; for dir; do cd "$dir" || { echo "$dir"; exit; }; done; "$program" --version >&2 || echo "$program"';
  const paths = [...pathTo(dirname(program)), ...pathTo(dataDir)];
  const { file, args, options } = commandAs(account, 'sh', ['-c', script, 'sh', program, ...paths]);
  const probe: SpawnSyncReturns<string> = spawnSync(file, args, { ...options, encoding: 'utf8' });
  if (probe.error || probe.status !== 0) return dataDir;
  return probe.stdout.trim() || null;
}

function pathTo(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [...pathTo(parent), dir];
}

function systemAccount(): Ids {
  const name = `${NAME}-postgres`;
  for (const candidate of ['postgres', '_postgres', 'nobody', name]) {
    const ids = idsOf(candidate);
    if (ids) return ids;
  }
  const created = spawnSync('useradd', [
    '--system',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ]);
  const ids = created.status === 0 ? idsOf(name) : null;
  if (ids) return ids;
  throw new Error(
    'PostgreSQL does not run as root, and there is no system account postgres or nobody to run it. ' +
      `Create one (useradd --system postgres), or start ${TITLE} as an ordinary user.`,
  );
}

function idsOf(name: string): Ids | null {
  try {
    const id = (option: string) => Number(execFileSync('id', [option, name], { stdio: 'pipe' }).toString());
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}
