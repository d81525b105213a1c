import { Module } from '@nestjs/common';
import { TagsModule } from '../tags/tags.module.js';
import { Upserts } from '#http/records/upsert.js';
import { UpdateCompanyHandler } from './update-company.js';
import { UpdateContactHandler } from './update-contact.js';
import { CompaniesController } from './companies.controller.js';
import { ContactsController } from './contacts.controller.js';
import { CreateCompaniesHandler, CreateCompanyHandler } from './create-company.js';
import { CreateContactHandler, CreateContactsHandler } from './create-contact.js';
import { CrmRecords } from './crm-records.js';
import { CrmQueries } from './crm.queries.js';
import { ImportContacts } from './import-contacts.js';
import { DeleteCompanyHandler } from './delete-company.js';
import { DeleteContactHandler } from './delete-contact.js';
import { RelinkContacts } from './relink-contacts.js';
import { MergeContactHandler } from './merge-contact.js';
import { MergeCompanyHandler } from './merge-company.js';
import { TagCrm } from './tag-crm.js';
import { DuplicateQueries } from './duplicates.queries.js';

/** Contacts and companies. */
@Module({
  imports: [TagsModule],
  controllers: [ContactsController, CompaniesController],
  providers: [
    Upserts,
    DuplicateQueries,
    MergeCompanyHandler,
    MergeContactHandler,
    RelinkContacts,
    DeleteContactHandler,
    DeleteCompanyHandler,
    CrmQueries,
    CrmRecords,
    TagCrm,
    ImportContacts,
    CreateContactHandler,
    CreateContactsHandler,
    UpdateContactHandler,
    CreateCompanyHandler,
    CreateCompaniesHandler,
    UpdateCompanyHandler,
  ],
  exports: [CrmQueries],
})
export class CrmModule {}
