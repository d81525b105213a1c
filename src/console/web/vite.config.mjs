import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const OUTPUT = join(import.meta.dirname, '../../../dist/console');

/** Beside each file the same compressed as far as it goes, once and not for each reader. */
const compressed = {
  name: 'compressed',
  closeBundle() {
    const folder = join(OUTPUT, 'assets');
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

export default {
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  // The pages are served below any path, and find it by the address of their script.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [compressed],
};
