import { join } from 'node:path';

/** What each process of the product has of our environment. From 22.1 on, Node keeps what it has compiled, as under `npm start`. */
export const environment = (): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/node'),
});
