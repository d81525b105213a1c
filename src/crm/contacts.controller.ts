import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Context } from '#kernel/context.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Ctx, OrganizationId } from '#http/access/caller.js';
import { Expandable } from '#http/expansion/expandable.js';
import { ApiPage, type Page } from '#http/paging/page.dto.js';
import { notFound } from '#http/problems/problem.js';
import { Versioned } from '#http/versions/versioned.js';
import { UpdateContact } from './update-contact.js';
import { CreateContact } from './create-contact.js';
import { CONTACT_EXPANSIONS } from './crm-records.js';
import { ContactResponse, CreateContactBody, ListContactsQuery, UpdateContactBody } from './crm.dto.js';
import { CrmQueries } from './crm.queries.js';

@ApiTags('Contacts')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/contacts')
export class ContactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: CrmQueries,
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

  /** Show one contact. */
  @Get(':contact_id')
  @Expandable(CONTACT_EXPANSIONS)
  @Versioned()
  async get(
    @OrganizationId() organizationId: string,
    @Param('contact_id') contactId: string,
  ): Promise<ContactResponse> {
    const contact = await this.queries.contact(organizationId, contactId);
    if (!contact) throw notFound('contact', contactId);
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
}
