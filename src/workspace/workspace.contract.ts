// What other contexts may use of the workspace.
export { Directory } from './workspace.directory.js';
export { Channels, type EmailChannel } from './channels.js';
export { ApiKeys } from './api-keys.js';
export { Organizations } from './create-organization.js';
