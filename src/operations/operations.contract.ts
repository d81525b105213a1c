// What others may use of operations.
export { HealthController as Health } from './health.controller.js';
export { Metrics } from './metrics.js';
