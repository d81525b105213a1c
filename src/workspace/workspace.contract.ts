// What other contexts may use of the workspace.
export { Directory } from './workspace.directory.js';
export { type AgentOf, Names } from './names.queries.js';
export { evolveSetting, inOrderOfNames, type Setting, type SettingEvent } from './settings/setting.js';
export { SettingsLog } from './settings/settings-log.js';
export { settings } from './settings/settings.projection.js';
export { AgentResponse, Timezone } from './workspace.dto.js';
export { hasValues } from './custom-filter.js';
export { Channels } from './channels.js';
export { ChannelSetup, channelSetupOn } from './channel-setup.js';
export { onTheWire } from './mailbox.js';
export type { EmailChannel } from './email-channel.js';
export type { TextChannel } from './text-channel.js';
export { tlsTrouble } from './tls-trouble.js';
export { Vault } from './vault.js';
export { ApiKeys } from './api-keys.js';
export { Pipelines } from './pipelines.js';
export { Organizations } from './organizations.js';
export { readBusinessHours, type SolutionRow, type StageRow } from './workspace.queries.js';
