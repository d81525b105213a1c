import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import { RowReader } from '#database/statements/row-reader.js';
import { isId } from '#kernel/id.js';
import type { Page, PageQuery } from '#http/paging/page.dto.js';
import type { List } from '#http/paging/list.js';
import { Pages } from '#http/paging/page.js';
import { versionedRow } from '#http/versions/versioned.js';
import { TEMPLATE_FIELDS } from './template.js';
import type { TemplateResponse } from './templates.dto.js';

const COLUMNS = TEMPLATE_FIELDS.join(', ');

const TEMPLATES: List = {
  name: 'templates',
  select: `SELECT ${COLUMNS} FROM template`,
  sort: 'name_key',
  type: 'text',
  ascending: true,
  isHidden: true,
  id: 'template_id',
};

/** Reads of templates. */
@Injectable()
export class TemplatesQueries {
  private readonly templates: RowReader<TemplateResponse & { stream_version: number }>;

  constructor(
    database: Database,
    private readonly pages: Pages,
  ) {
    this.templates = new RowReader(database, {
      name: 'template',
      table: 'template',
      key: 'template_id',
      columns: `${COLUMNS}, stream_version`,
    });
  }

  list(organizationId: string, query: PageQuery): Promise<Page<TemplateResponse>> {
    return this.pages.read(TEMPLATES, [['organization_id =', organizationId]], query);
  }

  async template(organizationId: string, templateId: string): Promise<TemplateResponse | undefined> {
    if (!isId('template', templateId)) return undefined;
    const row = await this.templates.one(organizationId, templateId);
    return row && versionedRow(row);
  }
}
