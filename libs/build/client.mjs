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
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'libs/client');
const DIST = join(CLIENT, 'dist');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const TYPES = join(CLIENT, 'api.generated.d.ts');

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
  await bundle(await compile());
}

/** Writes the declarations; gives the modules by their place. */
async function compile() {
  const { default: ts } = await import('typescript');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail(ts, [diagnostic]) };
  const config = ts.getParsedCommandLineOfConfigFile(join(CLIENT, 'tsconfig.json'), {}, host);
  const program = ts.createProgram(config.fileNames, config.options);
  const modules = new Map();
  const { diagnostics } = program.emit(undefined, (path, text) =>
    path.endsWith('.js') ? modules.set(resolve(path), text) : writeFileSync(path, text),
  );
  const all = [...config.errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (all.length > 0) fail(ts, all);
  return modules;
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

/** With `openapi-fetch` in it, so that whoever installs it needs nothing else. */
async function bundle(modules) {
  const { rollup } = await import('rollup');
  const fetchModule = join(dirname(createRequire(import.meta.url).resolve('openapi-fetch')), 'index.mjs');
  const place = {
    name: 'place',
    resolveId: (id, from) => (id === 'openapi-fetch' ? fetchModule : resolve(from ? dirname(from) : '', id)),
    load: (id) => modules.get(id) ?? null,
  };
  const built = await rollup({ input: join(DIST, 'client.js'), plugins: [place] });
  const licence = 'openapi-fetch.LICENSE';
  await built.write({
    file: join(DIST, 'client.js'),
    format: 'es',
    banner: `/*! Holds openapi-fetch; see ${licence}. */`,
  });
  copyFileSync(join(dirname(fetchModule), '../LICENSE'), join(DIST, licence));
}
