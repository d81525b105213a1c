// What the top level uses of the event feed.
export { describeEvents } from './events.openapi.js';
export { PublicEvents } from './public-events.js';
