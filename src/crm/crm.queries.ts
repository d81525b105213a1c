import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Reader } from '#database/statements/statement.js';
import { RowReader } from '#database/statements/row-reader.js';
import { addressKey } from '#kernel/address.js';
import { isId } from '#kernel/id.js';
import type { FoundRecords } from '#http/expansion/record-readers.js';
import { type Page } from '#http/paging/page.dto.js';
import type { Condition, List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { notFound, Problem } from '#http/problems/problem.js';
import { merged } from '#http/records/merge-record.js';
import { mergedInto } from '#event-store/merged-rows.js';
import { hasExternalId } from '#event-store/external-ids.js';
import { versionedRow } from '#http/versions/versioned.js';
import { hasTags, tagsOf } from '../tags/tags.contract.js';
import { Directory, hasValues } from '../workspace/workspace.contract.js';
import { COMPANY_FIELDS } from './company.js';
import { type Contact, CONTACT_FIELDS, OTHERS_FIELDS } from './contact.js';
import { companies, contacts } from './crm.projection.js';
import { keyOfDomain } from './domain.js';
import { nameKey } from '#kernel/name-key.js';
import type { CompanyResponse, ContactResponse, ListCompaniesQuery, ListContactsQuery } from './crm.dto.js';
import { dialled, phoneKey } from './phone.js';

/** The columns of a shown contact, also beside other tables. $1 is the organization. */
export const CONTACT_COLUMNS = [
  ...[...CONTACT_FIELDS, ...OTHERS_FIELDS].map((column) => `contact.${column}`),
  tagsOf('contact'),
  'contact.updated_at',
].join(', ');
const COMPANY_COLUMNS = [...COMPANY_FIELDS, tagsOf('company'), 'updated_at'].join(', ');

/** What is in order of the name. */
const BY_NAME = { sort: 'name_key', type: 'text', ascending: true, isHidden: true } as const;

const CONTACTS: List = {
  name: 'contacts',
  select: `SELECT ${CONTACT_COLUMNS} FROM contact`,
  sort: 'created_at',
  id: 'contact_id',
  orders: {
    name: BY_NAME,
    // By the contact's latest conversation, then those without one.
    '-last_activity_at': {
      select: `SELECT ${CONTACT_COLUMNS} FROM conversation latest JOIN contact USING (organization_id, contact_id)`,
      sort: 'latest.last_activity_at',
      isHidden: true,
      where: `latest.conversation_id = (
        SELECT conversation_id FROM conversation later
         WHERE later.organization_id = $1 AND later.contact_id = latest.contact_id
         ORDER BY later.last_activity_at DESC, later.conversation_id DESC LIMIT 1)`,
      rest: {
        name: 'contacts_without_conversation',
        select: `SELECT ${CONTACT_COLUMNS} FROM contact`,
        sort: 'created_at',
        id: 'contact_id',
        where: `NOT EXISTS (SELECT FROM conversation
                  WHERE conversation.organization_id = $1 AND conversation.contact_id = contact.contact_id)`,
      },
    },
  },
};

const COMPANIES: List = {
  name: 'companies',
  select: `SELECT ${COMPANY_COLUMNS} FROM company`,
  sort: 'created_at',
  id: 'company_id',
  orders: { name: BY_NAME },
};

/** Reads of contacts and companies. */
@Injectable()
export class CrmQueries {
  private readonly contacts: RowReader<ContactResponse & { stream_version: number }>;
  private readonly companies: RowReader<CompanyResponse & { stream_version: number }>;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly directory: Directory,
  ) {
    this.contacts = new RowReader(database, {
      name: 'contact',
      table: 'contact',
      key: 'contact_id',
      columns: `${CONTACT_COLUMNS}, stream_version`,
    });
    this.companies = new RowReader(database, {
      name: 'company',
      table: 'company',
      key: 'company_id',
      columns: `${COMPANY_COLUMNS}, stream_version`,
    });
  }

  async listContacts(organizationId: string, query: ListContactsQuery): Promise<Page<ContactResponse>> {
    return this.pages.read(
      CONTACTS,
      [
        ['organization_id =', organizationId],
        isReachedBy('email', query.email === undefined ? undefined : addressKey(query.email)),
        isReachedBy(
          'phone',
          query.phone_number === undefined
            ? undefined
            : await this.phoneKey(organizationId, query.phone_number),
        ),
        ['company_id =', query.company_id],
        hasExternalId(contacts.row, query.external_id),
        startsWith(query.name),
        hasValues(await this.directory.customFilter(organizationId, 'contacts', query.custom_fields)),
        ...hasTags('contact', query.tag_id),
      ],
      query,
    );
  }

  async contact(organizationId: string, contactId: string): Promise<ContactResponse | undefined> {
    if (!isId('contact', contactId)) return undefined;
    const row = await this.contacts.one(organizationId, contactId);
    return row && versionedRow(row);
  }

  /** The 404 for a record that is not there: where it was merged, it names the one that stays, while that is there. */
  async missing(organizationId: string, what: 'contact' | 'company', id: string): Promise<Problem> {
    const { row } = { contact: contacts, company: companies }[what];
    const into = isId(what, id) ? await mergedInto(this.database, row, organizationId, id) : undefined;
    const isThere = into !== undefined && (await this[what](organizationId, into)) !== undefined;
    if (!isThere) return notFound(what, id);
    const list = { contact: 'contacts', company: 'companies' }[what];
    return merged(what, id, into, `/api/v2/organizations/${organizationId}/${list}/${into}`);
  }

  /** For a `catch`: a 404 for the record becomes that of `missing`. */
  tellingMerged =
    (organizationId: string, what: 'contact' | 'company', id: string) =>
    async (error: unknown): Promise<never> => {
      const isMissing = error instanceof Problem && error.code === `${what}_not_found`;
      throw isMissing ? await this.missing(organizationId, what, id) : error;
    };

  /** As `contact`. */
  async contactsByIds(organizationId: string, ids: string[], room: number): Promise<FoundRecords> {
    const { rows, isWhole } = await this.contacts.within(room, organizationId, ids);
    return { byId: new Map(rows.map((row) => [row.contact_id, versionedRow(row)])), isWhole };
  }

  async listCompanies(organizationId: string, query: ListCompaniesQuery): Promise<Page<CompanyResponse>> {
    return this.pages.read(
      COMPANIES,
      [
        ['organization_id =', organizationId],
        // By hash, as in the index: a domain of 1,000 characters may be too long for an index entry.
        [
          // PostgreSQL does not see by itself that the partial index will do.
          'domain IS NOT NULL AND md5(coalesce(domain_key, domain)) =',
          query.domain === undefined ? undefined : md5(keyOfDomain(query.domain)),
        ],
        hasExternalId(companies.row, query.external_id),
        startsWith(query.name),
        hasValues(await this.directory.customFilter(organizationId, 'companies', query.custom_fields)),
        ...hasTags('company', query.tag_id),
      ],
      query,
    );
  }

  async company(organizationId: string, companyId: string): Promise<CompanyResponse | undefined> {
    if (!isId('company', companyId)) return undefined;
    const row = await this.companies.one(organizationId, companyId);
    return row && versionedRow(row);
  }

  /** As `company`. */
  async companiesByIds(organizationId: string, ids: string[], room: number): Promise<FoundRecords> {
    const { rows, isWhole } = await this.companies.within(room, organizationId, ids);
    return { byId: new Map(rows.map((row) => [row.company_id, versionedRow(row)])), isWhole };
  }

  /** The oldest contact with this e-mail key or phone key. */
  async matchingContact(
    tx: Reader,
    organizationId: string,
    { email_key, phone_key }: Pick<Contact, 'email_key' | 'phone_key'>,
  ): Promise<ContactResponse | undefined> {
    const [row] = await tx.query<ContactResponse>({
      name: 'matching_contact',
      text: `(${CONTACTS.select} WHERE organization_id = $1 AND email_key = $2 ORDER BY created_at, contact_id LIMIT 1)
             UNION ALL
             (${CONTACTS.select} WHERE organization_id = $1 AND phone_key = $3 ORDER BY created_at, contact_id LIMIT 1)
             UNION ALL
             (SELECT ${CONTACT_COLUMNS} FROM contact_merged_key JOIN contact USING (organization_id, contact_id)
               WHERE organization_id = $1 AND match_key IN ('email:' || $2, 'phone:' || $3))
             ORDER BY created_at, contact_id LIMIT 1`,
      values: [organizationId, email_key, phone_key],
      share: { types: ['text', 'text', 'text'] },
    });
    return row;
  }

  /** Contacts with one of these addresses or numbers; for those wanted without either, contacts with the name alone. */
  contactsAmong(
    tx: Reader,
    organizationId: string,
    wanted: Pick<Contact, 'name' | 'email_key' | 'phone_key'>[],
  ): Promise<Pick<Contact, 'name' | 'email' | 'phone_key'>[]> {
    const known = <Value>(values: (Value | null)[]) => values.filter((value) => value !== null);
    const unnamed = wanted.filter(({ email_key, phone_key }) => email_key === null && phone_key === null);
    return tx.query({
      name: 'contacts_among',
      text: `SELECT name, email, phone_key FROM contact WHERE organization_id = $1 AND email_key = ANY ($2::text[])
             UNION ALL
             SELECT name, email, phone_key FROM contact WHERE organization_id = $1 AND phone_key = ANY ($3::text[])
             UNION ALL
             SELECT contact.name, CASE WHEN match_key LIKE 'email:%' THEN substr(match_key, 7) ELSE '' END,
                    CASE WHEN match_key LIKE 'phone:%' THEN substr(match_key, 7) END
               FROM contact_merged_key JOIN contact USING (organization_id, contact_id)
              WHERE organization_id = $1
                AND match_key IN (SELECT 'email:' || one FROM unnest($2::text[]) one UNION ALL SELECT 'phone:' || one FROM unnest($3::text[]) one)
             UNION ALL
             SELECT found.* FROM unnest($4::text[]) AS wanted (name) CROSS JOIN LATERAL
                    (SELECT name, email, phone_key FROM contact
                      WHERE organization_id = $1 AND email_key IS NULL AND phone_key IS NULL AND md5(name) = md5(wanted.name)
                     OFFSET 0) found`,
      values: [
        organizationId,
        known(wanted.map(({ email_key }) => email_key)),
        known(wanted.map(({ phone_key }) => phone_key)),
        unnamed.map(({ name }) => name),
      ],
    });
  }

  /** The contacts of a company. */
  async contactsOf(tx: Reader, organizationId: string, companyId: string): Promise<string[]> {
    const rows = await tx.query<{ contact_id: string }>({
      name: 'contacts_of_company',
      text: 'SELECT contact_id FROM contact WHERE organization_id = $1 AND company_id = $2',
      values: [organizationId, companyId],
    });
    return rows.map(({ contact_id }) => contact_id);
  }

  /** The agent of the contact's company. */
  async companyAgent(tx: Reader, organizationId: string, contactId: string): Promise<string | null> {
    const [row] = await tx.query<{ agent_id: string | null }>({
      name: 'company_agent',
      text: `SELECT company.agent_id FROM contact JOIN company USING (organization_id, company_id)
              WHERE organization_id = $1 AND contact_id = $2`,
      values: [organizationId, contactId],
      share: { types: ['text', 'text'] },
    });
    return row?.agent_id ?? null;
  }

  /** The key by which the organization matches this phone number; see `phoneKey`. */
  async phoneKey(organizationId: string, phoneNumber: string): Promise<string | null> {
    const organization = await this.directory.organization(organizationId);
    return phoneKey(phoneNumber, organization!.default_region);
  }

  /** The number that a text of the organization to this one goes to; see `dialled`. */
  async dialled(organizationId: string, phoneNumber: string): Promise<string> {
    const organization = await this.directory.organization(organizationId);
    return dialled(phoneNumber, organization!.default_region);
  }
}

/** Itself, or by what somebody merged into it had. */
const isReachedBy = (kind: 'email' | 'phone', key: string | null | undefined): Condition => [
  `(${kind}_key = ? OR contact_id = ANY (ARRAY(SELECT contact_id FROM contact_merged_key its
     WHERE its.organization_id = $1 AND its.match_key = '${kind}:' || ?)))`,
  key,
];

/** In any case, with accents or without. */
const startsWith = (name: string | undefined): Condition => [
  'name_key LIKE',
  name === undefined ? undefined : `${nameKey(name).replace(/[\\%_]/g, '\\$&')}%`,
];

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
