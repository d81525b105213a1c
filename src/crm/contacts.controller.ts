import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { ApiBatch, type BatchResponse } from '#http/records/batch.js';
import { ApiUpsert, type Upsert, Upserts } from '#http/records/upsert.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { ApiPage, type Page, PageQuery } from '#http/paging/page.dto.js';
import { ChangeTags, ChangeTagsBody } from '../tags/tags.contract.js';
import { CreateContact, CreateContacts } from './create-contact.js';
import {
  ContactResponse,
  CreateContactBody,
  DuplicateResponse,
  ListContactsQuery,
  MergeContactBody,
  UpdateContactBody,
} from './crm.dto.js';
import { Expandable } from '#http/expansion/expandable.js';
import { Versioned } from '#http/versions/versioned.js';
import { UpdateContact } from './update-contact.js';
import { CONTACT_EXPANSIONS } from './crm-records.js';
import { CrmQueries } from './crm.queries.js';
import { contacts } from './crm.projection.js';
import { DeleteContact } from './delete-contact.js';
import { MergeContact } from './merge-contact.js';
import { DuplicateQueries } from './duplicates.queries.js';
import { TimelineEntryResponse } from './timeline.dto.js';
import { Timelines } from './timelines.js';

const UPSERT: Upsert<CreateContactBody, UpdateContactBody, ContactResponse> = {
  aggregate: contacts,
  bodyOfCreation: CreateContactBody,
  bodyOfChange: UpdateContactBody,
  create: (context, body) => new CreateContact(context, body),
  change: (context, id, body) => new UpdateContact(context, id, body),
};

@ApiTags('Contacts')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/contacts')
export class ContactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly upserts: Upserts,
    private readonly queries: CrmQueries,
    private readonly alike: DuplicateQueries,
    private readonly timelines: Timelines,
  ) {}

  /** List contacts, newest first. */
  @Get()
  @Expandable(CONTACT_EXPANSIONS)
  @ApiPage(ContactResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListContactsQuery,
  ): Promise<Page<ContactResponse>> {
    return this.queries.listContacts(organizationId, query);
  }

  /** Create a contact. */
  @Post()
  @Versioned()
  @ApiProblems(403)
  create(@Ctx() context: Context, @Body() body: CreateContactBody): Promise<ContactResponse> {
    return this.commands.execute(new CreateContact(context, body));
  }

  /**
   * Make the contact with an external id of yours, or change the fields that the body names.
   *
   * The same request again changes nothing, and of many at once one makes it.
   */
  @Put('by-external-id/:external_id')
  @Versioned({ ifMatch: true })
  @ApiUpsert(UpdateContactBody, ContactResponse)
  @ApiProblems(403, 409)
  put(
    @Param('external_id') externalId: string,
    @Ctx() context: Context,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContactResponse> {
    return this.upserts.put(context, externalId, body, reply, UPSERT);
  }

  /** Create up to 200 contacts, each decided alone. */
  @Post('batch')
  @HttpCode(200)
  @ApiBatch(CreateContactBody, ContactResponse)
  @ApiProblems(403)
  createMany(
    @Ctx() context: Context,
    @Req() request: FastifyRequest,
    @Body() batch: unknown,
  ): Promise<BatchResponse<ContactResponse>> {
    return this.commands.execute(new CreateContacts(context, request.url, batch));
  }

  /**
   * List pairs of contacts that may be the same person, to be merged.
   *
   * Each contact is paired with the one before it that is like it. One request looks through 10,000 contacts at most, so a page may end
   * before its limit, with more to come.
   */
  @Get('duplicates')
  @ApiPage(DuplicateResponse)
  duplicates(
    @OrganizationId() organizationId: string,
    @Query() query: PageQuery,
  ): Promise<Page<DuplicateResponse>> {
    return this.alike.list(organizationId, query);
  }

  /** List all that there is about a contact, the latest first: messages, drafts, sales and their stages, tasks, comments and changes. */
  @Get(':contact_id/timeline')
  @ApiPage(TimelineEntryResponse)
  async timeline(
    @OrganizationId() organizationId: string,
    @Param('contact_id') contactId: string,
    @Query() query: PageQuery,
  ): Promise<Page<TimelineEntryResponse>> {
    if (!(await this.queries.contact(organizationId, contactId)))
      throw await this.queries.missing(organizationId, 'contact', contactId);
    return this.timelines.page(organizationId, contactId, query);
  }

  /** Show one contact. */
  @Get(':contact_id')
  @Expandable(CONTACT_EXPANSIONS)
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('contact_id') contactId: string,
  ): Promise<ContactResponse> {
    const contact = await this.queries.contact(organizationId, contactId);
    if (!contact) throw await this.queries.missing(organizationId, 'contact', contactId);
    return contact;
  }

  /** Change a contact. */
  @Patch(':contact_id')
  @Versioned()
  @ApiProblems(403, 409)
  change(
    @Param('contact_id') contactId: string,
    @Ctx() context: Context,
    @Body() body: UpdateContactBody,
  ): Promise<ContactResponse> {
    return this.commands.execute(new UpdateContact(context, contactId, body));
  }

  /** Delete a contact. 409 for one with conversations, and where it is the last party of a sale. */
  @Delete(':contact_id')
  @HttpCode(204)
  @ApiProblems(403, 409)
  remove(@Param('contact_id') contactId: string, @Ctx() context: Context): Promise<void> {
    return this.commands.execute(new DeleteContact(context, contactId));
  }

  /**
   * Merge another contact into this one, which takes over all that links to it and what it lacks itself.
   *
   * The other one's id answers 404 `merged` from then on, with a hint to this one. Two mergers of the same at once: one is refused.
   */
  @Post(':contact_id/merge')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  merge(
    @Param('contact_id') contactId: string,
    @Ctx() context: Context,
    @Body() { from_contact_id }: MergeContactBody,
  ): Promise<ContactResponse> {
    return this.commands.execute(new MergeContact(context, contactId, from_contact_id));
  }

  /** Give a contact tags, and take others away. What it has already, or has not, changes nothing: two who tag at once lose nothing. */
  @Post(':contact_id/tags')
  @HttpCode(200)
  @Versioned({ ifMatch: true })
  @ApiProblems(403, 409)
  async tag(
    @Param('contact_id') contactId: string,
    @Ctx() context: Context,
    @Body() body: ChangeTagsBody,
  ): Promise<ContactResponse> {
    await this.commands.execute(new ChangeTags(context, 'contact', contactId, body));
    return this.get(context.organizationId, contactId);
  }
}
