import './process/v8-flags.js';
import 'reflect-metadata';
import { runHalf } from './process/run-role.js';

// The worker alone: deliveries, and read models from the feed.
await runHalf({ api: false, worker: true }, () => 'worker runs');
