// What others may use of operations.
export { Metrics } from './metrics.js';
