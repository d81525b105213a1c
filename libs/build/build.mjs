// Compiles src and libs to dist with the Swagger plugin of nest-cli.json, which turns DTO comments and
// types into the OpenAPI document. `nest build` would do the same, but its command line asks for Node 22. Rolldown bundles the
// programs, Vite the pages of src/console/web.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Holds the hash of all that went into what is in dist. */
const BUILT = 'dist/.built';
const built = hashOfSources();
if (isBuilt()) process.exit();

if (process.stderr.isTTY) process.stderr.write('Building Parley …\n');
// Only now: to load the compiler takes longer than all of the above.
const { default: ts } = await import('typescript');
const swaggerPlugin = await import('@nestjs/swagger/plugin');

const host = {
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]),
};

function fail(diagnostics) {
  process.stderr.write(
    ts.formatDiagnosticsWithColorAndContext(diagnostics, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }),
  );
  process.exit(1);
}

// Should this be cut off, what is there is not what it was built from.
rmSync(BUILT, { force: true });
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host);
const program = ts.createIncrementalProgram({ rootNames: fileNames, options });
const [plugin] = JSON.parse(readFileSync('nest-cli.json', 'utf8')).compilerOptions.plugins;

const before = [swaggerPlugin.before(plugin.options, program.getProgram())];
const emitted = program.emit(undefined, undefined, undefined, false, { before });
const diagnostics = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getSyntacticDiagnostics(),
  ...program.getSemanticDiagnostics(),
  ...emitted.diagnostics,
];
if (diagnostics.length > 0) fail(diagnostics);
const { bundle } = await import('./bundle.mjs');
await bundle();
const { build } = await import('vite');
await build({ configFile: 'src/console/web/vite.config.mjs' });
mkdirSync('dist', { recursive: true });
writeFileSync(BUILT, built);

function hashOfSources() {
  const hash = createHash('sha256').update(process.version);
  const sources = ['src', 'libs'].flatMap((dir) =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      // Made by client.mjs.
      .filter((path) => !/^libs.client.(dist|api\.generated)/.test(path)),
  );
  for (const path of ['package-lock.json', 'nest-cli.json', 'tsconfig.json', ...sources.sort()])
    hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function isBuilt() {
  try {
    return readFileSync(BUILT, 'utf8') === built;
  } catch {
    return false;
  }
}
