import type { Context } from '#kernel/context.js';
import type { Database } from '#database/database.js';
import { AT_COMMAND_LINE, systemContext } from '#kernel/context.js';
import { EventStore } from '#event-store/event-store.js';
import { Pages } from '#http/paging/page.js';
import { PublicUrl } from '#http/public-url.js';
import { AUDIT_LOG, UPCASTERS } from '../../../src/app/composition.js';
import { AnswerTime } from '../../../src/conversations/recording/answer-time.js';
import { AnsweredMails } from '../../../src/conversations/answered-mails.queries.js';
import { ConversationQueries } from '../../../src/conversations/conversations.queries.js';
import { MessageQueries } from '../../../src/conversations/messages.queries.js';
import { ConversationHolds } from '../../../src/conversations/conversation-holds.js';
import { LinkClicks } from '../../../src/conversations/link-clicks.queries.js';
import { MessageExtensions } from '../../../src/conversations/message-extensions.js';
import { ContactMatcher } from '../../../src/conversations/recording/contact-matcher.js';
import { Authors } from '../../../src/conversations/recording/authors.js';
import { ThreadFinder } from '../../../src/conversations/recording/thread-finder.js';
import { ThreadQueries } from '../../../src/conversations/recording/threads.queries.js';
import { OwnAddress } from '../../../src/conversations/recording/own-address.js';
import { MessagePlanner } from '../../../src/conversations/recording/message-planner.js';
import {
  RecordBatch,
  RecordMessage,
  RecordMessageHandler,
} from '../../../src/conversations/recording/record-batch.js';
import { CreateCompany, CreateCompanyHandler } from '../../../src/crm/create-company.js';
import { CreateContact, CreateContactHandler } from '../../../src/crm/create-contact.js';
import { CrmQueries } from '../../../src/crm/crm.queries.js';
import { NoteMessage } from '../../../src/sales/note-message.js';
import { OpenSale, OpenSaleHandler } from '../../../src/sales/open-sale.js';
import { QuoteSaleHandler } from '../../../src/sales/quote-sale.js';
import { SaleLinks } from '../../../src/sales/sale-links.js';
import { SalesQueries } from '../../../src/sales/sales.queries.js';
import { UpdateSale, UpdateSaleHandler } from '../../../src/sales/update-sale.js';
import { TagQueries } from '../../../src/tags/tags.queries.js';
import { CreateTaskHandler } from '../../../src/tasks/create-task.js';
import { TaskLinks } from '../../../src/tasks/task-links.js';
import { TasksQueries } from '../../../src/tasks/tasks.queries.js';
import { UpdateTaskHandler } from '../../../src/tasks/update-task.js';
import { ChannelSecrets } from '../../../src/workspace/channel-secrets.js';
import { Channels } from '../../../src/workspace/channels.js';
import { Vault } from '../../../src/workspace/vault.js';
import { Organizations } from '../../../src/workspace/organizations.js';
import { CustomFields } from '../../../src/workspace/custom-fields.js';
import { KeyUsage } from '../../../src/workspace/key-usage.js';
import { WorkspaceCache } from '../../../src/workspace/workspace.cache.js';
import { Directory } from '../../../src/workspace/workspace.directory.js';
import { WorkspaceQueries } from '../../../src/workspace/workspace.queries.js';
import { SettingsLog } from '../../../src/workspace/settings/settings-log.js';
import { WorkspaceWriter } from '../../../src/workspace/workspace.writer.js';

// For the specs of other contexts, which import only contracts of these.
export { CreateContact, OpenSale, UpdateSale };

/** The use cases around sales and tasks on a database, put together as the modules do it. */
export function handlersOn(database: Database) {
  const store = new EventStore(database, UPCASTERS, AUDIT_LOG.alongside);
  const pages = new Pages(database, Buffer.alloc(32));
  const workspace = new WorkspaceQueries(database, pages);
  const cache = new WorkspaceCache(workspace);
  const directory = new Directory(cache, workspace, new KeyUsage(workspace));
  const writer = new WorkspaceWriter(database, cache, new SettingsLog(store));
  const crm = new CrmQueries(database, pages, directory);
  const conversations = new ConversationQueries(database, pages);
  const listeners = new MessageExtensions();
  const placing = new ThreadQueries();
  const channels = new Channels(
    workspace,
    cache,
    new ChannelSecrets(new Vault(Buffer.alloc(32))),
    new PublicUrl('http://localhost'),
  );
  const matcher = new ContactMatcher(store, placing, crm, directory);
  const planner = new MessagePlanner(
    new MessageQueries(database, pages, new LinkClicks(database), conversations),
    new ThreadFinder(store, placing, conversations, listeners),
    matcher,
    new Authors(matcher, store),
    crm,
    new OwnAddress(channels),
    new AnswerTime(new AnsweredMails(database), listeners),
  );
  const tags = new TagQueries(database, pages);
  const sales = new SalesQueries(database, pages, directory);
  const held = new ConversationHolds(store, conversations);
  const saleLinks = new SaleLinks(directory);
  const taskLinks = new TaskLinks(directory);
  new NoteMessage(listeners, store, sales).onModuleInit();
  return {
    store,
    auditLog: AUDIT_LOG.projection,
    directory,
    sales,
    tasks: new TasksQueries(database, pages),
    organizations: new Organizations(writer),
    customFields: new CustomFields(writer),
    createCompany: new CreateCompanyHandler(store, directory),
    createContact: new CreateContactHandler(store, crm, directory),
    recordMessage: new RecordMessageHandler(new RecordBatch(database, store, planner)),
    openSale: new OpenSaleHandler(store, saleLinks, directory, held),
    updateSale: new UpdateSaleHandler(store, saleLinks, directory, held, tags),
    quoteSale: new QuoteSaleHandler(store, tags),
    createTask: new CreateTaskHandler(store, taskLinks),
    updateTask: new UpdateTaskHandler(store, taskLinks),
  };
}

export type Handlers = ReturnType<typeof handlersOn>;

/** What sales and tasks can be linked to. */
export interface Universe {
  context: Context;
  stages: string[];
  companies: string[];
  contacts: string[];
  agents: string[];
  conversations: string[];
}

/** An organization with two or three of everything that sales and tasks refer to. */
export async function universeOf(handlers: Handlers): Promise<Universe> {
  const { organization_id } = await handlers.organizations.create(AT_COMMAND_LINE, { name: 'Acme' });
  const context = systemContext(organization_id);
  const [agents, companies, contacts, conversations]: string[][] = [[], [], [], []];
  for (const name of ['Ada', 'Alan'])
    agents!.push(
      (await handlers.organizations.addAgent(AT_COMMAND_LINE, organization_id, { name })).agent_id,
    );
  for (const name of ['Navy', 'Army'])
    companies!.push((await handlers.createCompany.execute(new CreateCompany(context, { name }))).company_id);
  for (const name of ['Grace', 'Emmy', 'Carl'])
    contacts!.push((await handlers.createContact.execute(new CreateContact(context, { name }))).contact_id);
  for (const contact_id of contacts!.slice(1))
    conversations!.push(await say(handlers, context, { party: { contact_id } }));
  return {
    context,
    agents: agents!,
    companies: companies!,
    contacts: contacts!,
    conversations: conversations!,
    stages: (await handlers.directory.stages(organization_id)).map(({ status_id }) => status_id),
  };
}

/** Records a received e-mail; gives its conversation. */
export async function say(
  handlers: Handlers,
  context: Context,
  to: { party: { contact_id: string } } | { conversation_id: string },
): Promise<string> {
  const { message } = await handlers.recordMessage.execute(
    new RecordMessage(context, {
      modality: 'email',
      message_direction: 'received',
      content: 'Hello',
      agent_id: null,
      is_form_request: false,
      subject: null,
      body_html: null,
      call_transcript: null,
      form_request_body: null,
      drafted_at: null,
      email_metadata: {
        email_message_id: null,
        in_reply_to: [],
        references: [],
        cc_emails: [],
        bcc_emails: [],
      },
      call_metadata: { duration: null },
      external_id: null,
      is_auto_reply: false,
      sent_at: null,
      folder: undefined,
      party: null,
      conversation_id: null,
      ...to,
    }),
  );
  return message.conversation_id;
}
