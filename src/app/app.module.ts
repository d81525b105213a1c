import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { CONFIG, type Config } from '../config/config.js';
import { ROLES, type Roles } from '#config/roles.js';
import { Database } from '#database/database.js';
import { WorkerLiveness } from '#database/monitoring/worker-liveness.js';
import { EventStore } from '#event-store/event-store.js';
import { RecordLinks } from '#event-store/record-links.js';
import { ExampleValues } from './openapi/example-values.js';
import { RecordReaders } from '#http/expansion/record-readers.js';
import { IdempotencySweeper } from '#http/idempotency/idempotency.sweeper.js';
import { InputPipe } from '#http/input/input.js';
import { Drain } from '#http/limits/drain.js';
import { Pages } from '#http/paging/page.js';
import { ProblemFilter } from '#http/problems/errors.js';
import { PublicUrl } from '#http/public-url.js';
import { DueWork } from '#jobs/due-work.js';
import { Jobs } from '#jobs/jobs.js';
import { AnalyticsModule } from '../analytics/analytics.module.js';
import { AUDIT_LOG, READ_MODELS, SEARCH_SOURCES, UPCASTERS } from './composition.js';
import { PUBLIC_EVENTS } from './public-events.js';
import { AuditModule } from '../audit/audit.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { ReplyTokens } from '../conversations/reply-token.js';
import { Timelines } from '../crm/crm.contract.js';
import { CrmModule } from '../crm/crm.module.js';
import { SessionModule } from '../console/session/session.module.js';
import { DoctorModule } from '../doctor/doctor.module.js';
import { DraftsModule } from '../drafts/drafts.module.js';
import { SalesModule } from '../sales/sales.module.js';
import { FilesModule } from '../files/files.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { UnsubscribeLinks } from '../suppressions/suppressions.contract.js';
import { TagsModule } from '../tags/tags.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { EventsModule } from '../events/events.module.js';
import { Cursors } from '#http/paging/cursors.js';
import { SearchModule } from '../search/search.module.js';
import { ReadModels } from '../read-models/read-models.contract.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { Vault } from '../workspace/vault.js';
import { WorkspaceModule } from '../workspace/workspace.module.js';

/** What a process opens before its modules are built. */
export interface Infrastructure {
  config: Config;
  roles: Roles;
  database: Database;
  jobs: Jobs;
  secretKey: Buffer;
  drain: Drain;
}

@Global()
@Module({})
class InfrastructureModule {
  static with({ config, roles, database, jobs, secretKey, drain }: Infrastructure): DynamicModule {
    const cursors = new Cursors(secretKey);
    const store = new EventStore(database, UPCASTERS, AUDIT_LOG.alongside);
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: ROLES, useValue: roles },
      { provide: Database, useValue: database },
      { provide: Jobs, useValue: jobs },
      { provide: DueWork, useValue: new DueWork(database, config.duePollMs) },
      { provide: Drain, useValue: drain },
      { provide: WorkerLiveness, useValue: new WorkerLiveness(database) },
      { provide: EventStore, useValue: store },
      { provide: RecordLinks, useValue: new RecordLinks(store) },
      { provide: Pages, useValue: new Pages(database, secretKey) },
      { provide: Cursors, useValue: cursors },
      { provide: Timelines, useValue: new Timelines(cursors) },
      { provide: RecordReaders, useValue: new RecordReaders() },
      { provide: Vault, useValue: new Vault(secretKey) },
      { provide: ReplyTokens, useValue: new ReplyTokens(secretKey) },
      { provide: UnsubscribeLinks, useValue: new UnsubscribeLinks(secretKey) },
      { provide: ExampleValues, useValue: new ExampleValues() },
      { provide: PublicUrl, useValue: new PublicUrl(config.publicUrl ?? `http://localhost:${config.port}`) },
    ];
    return { module: InfrastructureModule, providers, exports: providers };
  }
}

const READ = new ReadModels(READ_MODELS, UPCASTERS);

@Module({})
export class AppModule {
  static with(infrastructure: Infrastructure): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        InfrastructureModule.with(infrastructure),
        WorkspaceModule,
        CrmModule,
        ConversationsModule,
        DraftsModule,
        TemplatesModule,
        FilesModule,
        SuppressionsModule,
        SalesModule,
        TasksModule,
        TagsModule,
        CommentsModule,
        SearchModule.with(SEARCH_SOURCES),
        AuditModule,
        SessionModule,
        OperationsModule,
        AnalyticsModule,
        EventsModule.with(PUBLIC_EVENTS),
        WebhooksModule.with(PUBLIC_EVENTS),
        ReadModelsModule.with(READ),
        DoctorModule.with(READ),
      ],
      providers: [
        IdempotencySweeper,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: InputPipe },
      ],
    };
  }
}
