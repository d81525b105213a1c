// Builds the client of the API in libs/client/dist: one module, and its types, which are made from docs/openapi.json.
// With `types` on the command line it makes those alone.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'libs/client');
const DIST = join(CLIENT, 'dist');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const TYPES = join(CLIENT, 'api.generated.d.ts');
/** The packages that the client uses. */
const HELD = ['openapi-fetch', 'eventsource-parser'];

await makeTypes();
if (process.argv[2] !== 'types') await build();

/** Each of several runs at the same time leaves a whole file. */
async function makeTypes() {
  const head = `// Of docs/openapi.json ${createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex')}\n`;
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(head)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = await openapiTS(pathToFileURL(DOCUMENT), { defaultNonNullable: false });
  writeFileSync(`${TYPES}.${process.pid}`, head + astToString(types));
  renameSync(`${TYPES}.${process.pid}`, TYPES);
}

async function build() {
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST, { recursive: true });
  copyFileSync(TYPES, join(DIST, 'api.generated.d.ts'));
  await declare();
  await bundle();
}

async function declare() {
  const { default: ts } = await import('typescript');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail(ts, [diagnostic]) };
  const options = { emitDeclarationOnly: true };
  const config = ts.getParsedCommandLineOfConfigFile(join(CLIENT, 'tsconfig.json'), options, host);
  const program = ts.createProgram(config.fileNames, config.options);
  const { diagnostics } = program.emit();
  const all = [...config.errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (all.length > 0) fail(ts, all);
}

function fail(ts, diagnostics) {
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => '\n',
  };
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host));
  process.exit(1);
}

/** With all that it uses in it, so that whoever installs it needs nothing else. */
async function bundle() {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: CLIENT,
    logLevel: 'warn',
    build: {
      outDir: DIST,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry: 'client.ts', formats: ['es'], fileName: () => 'client.js' },
      rolldownOptions: {
        output: { banner: `/*! Holds ${HELD.join(' and ')}; see their licences beside it. */` },
      },
    },
  });
  for (const name of HELD)
    copyFileSync(join(ROOT, `node_modules/${name}/LICENSE`), join(DIST, `${name}.LICENSE`));
}
