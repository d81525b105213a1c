import { Module } from '@nestjs/common';
import { UpdateCompanyHandler } from './update-company.js';
import { UpdateContactHandler } from './update-contact.js';
import { CompaniesController } from './companies.controller.js';
import { ContactsController } from './contacts.controller.js';
import { CreateCompanyHandler } from './create-company.js';
import { CreateContactHandler } from './create-contact.js';
import { CrmRecords } from './crm-records.js';
import { CrmQueries } from './crm.queries.js';
import { ImportContacts } from './import-contacts.js';

/** Contacts and companies. */
@Module({
  controllers: [ContactsController, CompaniesController],
  providers: [
    CrmQueries,
    CrmRecords,
    ImportContacts,
    CreateContactHandler,
    UpdateContactHandler,
    CreateCompanyHandler,
    UpdateCompanyHandler,
  ],
  exports: [CrmQueries],
})
export class CrmModule {}
