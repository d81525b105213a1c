// Writes docs/openapi.json as the build serves it. What breaks clients is written only when
// docs/breaking-changes.json names it with its reason. Tells the client which of its routes give bytes.
import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { documentOfDefaults } from '../../dist/src/app/openapi/application-document.js';
import prettier from 'prettier';
import { breakingChanges } from '../../dist/libs/build/breaking-changes.js';
import { byteRoutes } from '../../dist/libs/build/byte-routes.js';

const WRITTEN = 'docs/openapi.json';
const BYTE_ROUTES = 'libs/client/byte-routes.ts';
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const document = JSON.parse(JSON.stringify(await documentOfDefaults()));
const declared = read('docs/breaking-changes.json').filter(({ why }) => why.trim() !== '');
const broken = existsSync(WRITTEN) ? breakingChanges(read(WRITTEN), document) : [];
const undeclared = broken.filter((change) => !declared.some((one) => one.change === change));
if (undeclared.length > 0) {
  console.error(`These changes break clients. If they are meant, say why in docs/breaking-changes.json:`);
  for (const change of undeclared) console.error(JSON.stringify({ change, why: '' }));
  process.exit(1);
}
writeFileSync(WRITTEN, `${JSON.stringify(document, null, 2)}\n`);
const source = `/** Routes whose answers are bytes. Written by \`npm run openapi\` from docs/openapi.json. */
export const BYTE_ROUTES: ReadonlySet<string> = new Set(${JSON.stringify(byteRoutes(document))});
`;
const options = await prettier.resolveConfig(BYTE_ROUTES);
writeFileSync(BYTE_ROUTES, await prettier.format(source, { ...options, filepath: BYTE_ROUTES }));
