import './young-rows.js';
import 'reflect-metadata';
import { runHalf } from './half.js';

// The worker alone: deliveries, and read models from the feed.
await runHalf({ api: false, worker: true }, () => 'worker runs');
