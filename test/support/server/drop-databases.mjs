// A process of its own, for callers that cannot wait for a promise.
import { register } from 'node:module';

register('../jest/typescript-hooks.mjs', import.meta.url);
const { dropDatabases } = await import('../database/nodes.ts');
const [server, pattern] = process.argv.slice(2);
await dropDatabases(server, pattern);
