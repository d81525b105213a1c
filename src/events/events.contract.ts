// What others use of the event feed.
export { describeEvents } from './events.openapi.js';
export { EventResponse } from './events.dto.js';
export { PublicEvents } from './public-events.js';
