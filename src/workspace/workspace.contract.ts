// What other contexts may use of the workspace.
export { Directory } from './workspace.directory.js';
export { Channels, type EmailChannel } from './channels.js';
export type { CustomValues } from './custom-field.js';
