// What other contexts may use of suppressions.
export { AddSuppression } from './add-suppression.js';
export { type Address, Suppressions } from './suppressions.js';
export { UnsubscribeLinks } from './unsubscribe-links.js';
