import './process/v8-flags.js';
import 'reflect-metadata';
import { runHalf } from './process/run-role.js';

// The API alone, beside any number of others and of workers.
await runHalf({ api: true, worker: false }, ({ url }) => `API listens on ${url}`);
