// What the top level uses of webhooks.
export { describeWebhooks } from './webhooks.openapi.js';
