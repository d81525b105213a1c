// What other contexts may use of suppressions.
export { type Address, Suppressions } from './suppressions.js';
export { UnsubscribeLinks } from './unsubscribe-links.js';
