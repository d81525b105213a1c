import { Global, Module } from '@nestjs/common';
import { Agents } from './agents.js';
import { AgentQueries } from './agents.queries.js';
import { AgentRecords } from './agent-records.js';
import { ApiKeysAdminController } from './api-keys.admin.controller.js';
import { ApiKeys } from './api-keys.js';
import { ChannelsAdminController } from './channels.admin.controller.js';
import { ChannelSecrets } from './channel-secrets.js';
import { ChannelSetup } from './channel-setup.js';
import { Channels } from './channels.js';
import { ForeignSecrets } from './foreign-secrets.js';
import { KeyUsage } from './key-usage.js';
import { Organizations } from './organizations.js';
import { CustomFields } from './custom-fields.js';
import { Pipelines } from './pipelines.js';
import { OrganizationsAdminController } from './organizations.admin.controller.js';
import { MeController } from './me.controller.js';
import { Names } from './names.queries.js';
import { SettingsLog } from './settings/settings-log.js';
import { WorkspaceCache } from './workspace.cache.js';
import { WorkspaceController } from './workspace.controller.js';
import { Directory } from './workspace.directory.js';
import { WorkspaceQueries } from './workspace.queries.js';
import { WorkspaceWriter } from './workspace.writer.js';

/** Organizations, agents, keys, channels and custom fields. Global: every context asks its directory. */
@Global()
@Module({
  controllers: [
    MeController,
    WorkspaceController,
    OrganizationsAdminController,
    ApiKeysAdminController,
    ChannelsAdminController,
  ],
  providers: [
    WorkspaceQueries,
    WorkspaceCache,
    WorkspaceWriter,
    KeyUsage,
    Directory,
    AgentRecords,
    Agents,
    AgentQueries,
    Organizations,
    ApiKeys,
    ChannelSecrets,
    ChannelSetup,
    Channels,
    ForeignSecrets,
    CustomFields,
    Pipelines,
    Names,
    SettingsLog,
  ],
  exports: [Directory, Names, SettingsLog, Channels, ChannelSetup, Organizations, Pipelines, ApiKeys],
})
export class WorkspaceModule {}
